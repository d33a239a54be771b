import { execFileSync, type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePresent } from "../support/require-present.ts";
import { cpuMsOf } from "../support/cpu.ts";
import { type BenchItem, itemsBetween } from "./load.ts";
import { freePort } from "../support/free-port.ts";

// A stock gnuboard5 with the same items as our board. Needs PHP 8, nginx and MariaDB on this machine.
const PASSWORD = "Bench!234";

export interface PeerBoard {
  url: string;
  cookie: string;
  /** CPU of PHP, nginx and MariaDB since their start, milliseconds. */
  cpuMs: () => number;
  addItems: (from: number, to: number) => void;
  stop: () => Promise<void>;
}

const phpFpm = () => {
  const name = readdirSync("/usr/sbin").find((each) => /^php-fpm[\d.]*$/.test(each));
  return join("/usr/sbin", requirePresent(name ?? undefined));
};

function writeSettings(folder: string, port: number): void {
  const user = process.getuid?.() === 0 ? "root" : "";
  writeFileSync(
    join(folder, "php.conf"),
    `[global]\nerror_log = ${folder}/php.log\ndaemonize = no\n[www]\n${user && `user = ${user}\ngroup = ${user}\n`}listen = ${folder}/php.sock\npm = static\npm.max_children = 2\nphp_admin_value[opcache.enable] = 1\nphp_admin_value[session.save_path] = ${folder}\nphp_admin_value[mysqli.default_socket] = ${folder}/mysql.sock\n`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off;\n${user && `user ${user};\n`}pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nworker_processes 1;\nevents {}\nhttp {\n  include /etc/nginx/mime.types;\n  access_log off;\n  server {\n    listen 127.0.0.1:${port};\n    root ${folder}/site;\n    index index.php;\n    location ~ \\.php$ { include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_param HTTP_HOST 127.0.0.1:${port}; fastcgi_pass unix:${folder}/php.sock; fastcgi_read_timeout 300; }\n  }\n}\n`,
  );
}

async function untilAnswers(ask: () => unknown): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (n > 100) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
const rowOf = ({ itemNo, title, body, createdDate, viewCount }: BenchItem) =>
  `(${itemNo}, ${-itemNo}, '', ${itemNo}, 0, 0, '', 'html1', ${quote(title)}, ${quote(body)}, '', '', ${viewCount}, 'admin', '', '편집부', '', '', FROM_UNIXTIME(${Math.floor(createdDate / 1000)}), '', '127.0.0.1', '', '', '', '', '', '', '', '', '', '', '', '')`;
const COLUMNS =
  "wr_id, wr_num, wr_reply, wr_parent, wr_is_comment, wr_comment, wr_comment_reply, wr_option, wr_subject, wr_content, wr_link1, wr_link2, wr_hit, mb_id, wr_password, wr_name, wr_email, wr_homepage, wr_datetime, wr_last, wr_ip, wr_facebook_user, wr_twitter_user, wr_1, wr_2, wr_3, wr_4, wr_5, wr_6, wr_7, wr_8, wr_9, wr_10";

export async function startGnuboard(source: string): Promise<PeerBoard> {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-peer-"));
  const site = join(folder, "site");
  cpSync(source, site, { recursive: true, filter: (path) => !path.includes("/.git") });
  mkdirSync(join(site, "data"), { recursive: true, mode: 0o707 });
  const port = await freePort();
  writeSettings(folder, port);
  const [data, socket] = [join(folder, "mysql"), join(folder, "mysql.sock")];
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  execFileSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", ...asRoot],
    { stdio: "ignore" },
  );
  const programs: ChildProcess[] = [
    spawn(
      "/usr/sbin/mariadbd",
      [
        "--no-defaults",
        `--datadir=${data}`,
        `--socket=${socket}`,
        "--skip-networking",
        `--pid-file=${folder}/mysql.pid`,
        ...asRoot,
      ],
      { stdio: "ignore" },
    ),
    spawn(phpFpm(), ["-F", "-y", join(folder, "php.conf"), ...(asRoot.length > 0 ? ["-R"] : [])], { stdio: "ignore" }),
    spawn("/usr/sbin/nginx", ["-c", join(folder, "nginx.conf")], { stdio: "ignore" }),
  ];
  const sql = (text: string, database = "peer") =>
    execFileSync(
      "mariadb",
      ["--no-defaults", `--socket=${socket}`, "-u", "root", "--default-character-set=utf8mb4", database],
      { input: text, stdio: ["pipe", "ignore", "pipe"] },
    );
  const stop = async () => {
    for (const program of programs) {
      if (program.exitCode !== null) continue;
      const ended = new Promise((done) => program.once("exit", done));
      program.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswers(() => sql("CREATE DATABASE peer CHARACTER SET utf8mb4; SET GLOBAL sql_mode = ''", "mysql"));
    await untilAnswers(async () => {
      const { ok, status } = await fetch(`${url}/install/`);
      if (!ok) throw new Error(`PHP answers ${status}`);
    });
    const install = new URLSearchParams({
      mysql_host: "localhost",
      mysql_user: "root",
      mysql_pass: "",
      mysql_db: "peer",
      table_prefix: "g5_",
      admin_id: "admin",
      admin_pass: PASSWORD,
      admin_name: "관리자",
      admin_email: "admin@example.kr",
      g5_install: "1",
    });
    const answer = await (await fetch(`${url}/install/install_db.php`, { method: "POST", body: install })).text();
    if (!answer.includes("축하합니다"))
      throw new Error(
        answer
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .slice(-500),
      );
    const form = new URLSearchParams({ mb_id: "admin", mb_password: PASSWORD, url: "/" });
    const signedIn = await fetch(`${url}/bbs/login_check.php`, { method: "POST", body: form, redirect: "manual" });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(";", 1)[0])
      .join("; ");
    return {
      url,
      cookie,
      stop,
      cpuMs: () =>
        cpuMsOf(
          ["mariadbd", "nginx", "php-fpm"],
          programs.flatMap(({ pid }) => pid ?? []),
        ),
      addItems(from, to) {
        for (const rows of itemsBetween(from, to)) {
          sql(`SET NAMES utf8mb4; INSERT INTO g5_write_notice (${COLUMNS}) VALUES ${rows.map(rowOf).join(", ")}`);
        }
        sql(
          `UPDATE g5_board SET bo_count_write = (SELECT count(*) FROM g5_write_notice), bo_page_rows = 20, bo_use_search = 1 WHERE bo_table = 'notice';
           DELETE FROM g5_board_new;
           INSERT INTO g5_board_new (bo_table, wr_id, wr_parent, bn_datetime, mb_id) SELECT 'notice', wr_id, wr_id, wr_datetime, mb_id FROM g5_write_notice ORDER BY wr_id DESC LIMIT 500;`,
        );
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
