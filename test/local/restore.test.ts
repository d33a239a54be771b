/** @module-tag full */
import { requirePresent } from "../support/require-present.ts";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDumped } from "#worker/domain/operation/backup-snapshot.server.ts";
import { checkDatabases } from "#worker/local/folder-lock.ts";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { createOfficeAdministrator, databaseOf, OFFICE } from "../support/kill-site.ts";
import { copyDemoState } from "../support/test-site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NO_WARNING = "--disable-warning=ExperimentalWarning";
let folder: string;
let origin: string;
let backup: string;

async function run(script: string, args: string[], environment: Record<string, string> = {}, before: string[] = []) {
  const child = spawn(process.execPath, [NO_WARNING, ...before, `worker/local/${script}`, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  // A killed command leaves workerd running, so the whole group is killed.
  if (code === null) process.kill(-requirePresent(child.pid), "SIGKILL");
  return { code, out, err };
}

const call =
  (method: string) =>
  async (site: RunningSite, path: string, body: object, token = "") =>
    (
      await fetch(`${site.url}${path}`, {
        method,
        headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    ).json() as Promise<{ code: string; data: Record<string, unknown> }>;

const [post, put] = [call("POST"), call("PUT")];

const signIn = (site: RunningSite) => post(site, "/api/user/signin", OFFICE);

const FILES = { whole: "명단.pdf", gone: "참가신청서.hwp", damaged: "표지.png" };

async function createItemWithFiles(site: RunningSite, token: string): Promise<void> {
  const db = await databaseOf(site);
  const { FILES: bucket } = await site.mf.getBindings<{ FILES: R2Bucket }>();
  const { code } = await put(
    site,
    "/api/board-item/notice",
    { title: "심포지엄", content: "<p>안내</p>", fileIds: [] },
    token,
  );
  expect(code).toBe("SUCCESS");
  for (const [key, fileName] of Object.entries(FILES)) {
    await bucket.put(`f/${key}`, "0123456789");
    const [purpose, itemId] = key === "damaged" ? ["general", "NULL"] : ["board", "(SELECT id FROM board_item)"];
    await db
      .prepare(
        `INSERT INTO file (id, purpose, board_code, item_id, owner_user_id, file_name, size, content_type, status, storage_key, sort_order, created_date)
         VALUES (?1, ?2, 'notice', ${itemId}, 'office', ?3, 10, 'application/pdf', 'attached', 'f/' || ?1, 0, 0)`,
      )
      .bind(key, purpose, fileName)
      .run();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hoewon-restore-"));
  origin = join(folder, "origin");
  const site = await startSite({ port: 0, persistTo: origin, quiet: true, seed: "empty" });
  await createOfficeAdministrator(site, origin);
  const { data } = await signIn(site);
  await createItemWithFiles(site, String(data.accessToken));
  const made = await post(site, "/api/admin/job/backup/run", {}, String(data.accessToken));
  expect(made.data).toEqual({ name: "backup", ok: true });
  const db = await databaseOf(site);
  backup = requirePresent(await db.prepare("SELECT name FROM backup_run WHERE status = 'ok'").first<string>("name"));
  const { BACKUPS } = await site.mf.getBindings<{ BACKUPS: R2Bucket }>();
  await BACKUPS.delete("files/f/gone");
  const bytes = new Uint8Array(await requirePresent(await BACKUPS.get("files/f/damaged")).arrayBuffer());
  bytes[bytes.byteLength - 1] = requirePresent(bytes.at(-1)) ^ 1;
  await BACKUPS.put("files/f/damaged", bytes);
  await site.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a site restored by the README drill works", async () => {
  const restored = join(folder, "restored");
  const done = await run("restore.ts", [backup, "--from", origin, "--persist-to", restored]);
  expect([done.code, done.err]).toEqual([
    1,
    `자료는 모두 되살렸으나 파일 2개는 되살리지 못하였습니다. 원본이 있으면 아래 글에서 다시 올려 주십시오.
  표지.png · 사이트의 그림 · 백업의 사본이 손상됨 (f/damaged)
  참가신청서.hwp · 공지사항 1번 글 '심포지엄' · 백업에 사본이 없음 (f/gone)
`,
  ]);
  expect(done.out).toContain("건수와 크기를 모두 대조하였습니다");
  expect(done.out).toContain("모든 로그인이 끝났습니다");
  expect(done.out).toMatch(/기다리던 알림 \d+건은 이미 보냈을 수 있어 지웠습니다/);
  const site = await startSite({ port: 0, persistTo: restored, quiet: true, seed: "demo" });
  expect(site.content).toBe("empty");
  const { FILES: bucket } = await site.mf.getBindings<{ FILES: R2Bucket }>();
  expect((await bucket.list()).objects.map(({ key }) => key)).toEqual(["f/whole"]);
  expect((await signIn(site)).code).toBe("SUCCESS");
  await site.dispose();
  const again = await run("restore.ts", [backup, "--from", origin, "--persist-to", restored]);
  expect(again).toMatchObject({ code: 1 });
  expect(again.err).toContain("비어 있지 않은 데이터베이스입니다");
});

/** Rows of every table that a backup holds. */
async function countTables(site: RunningSite): Promise<Record<string, number>> {
  const db = await databaseOf(site);
  const { results } = await db
    .prepare(
      "SELECT s.name AS name FROM sqlite_master AS s JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = s.name WHERE s.type = 'table' AND t.type = 'table'",
    )
    .all<{ name: string }>();
  const names = results.map(({ name }) => name).filter(isDumped);
  const counts = await db.batch<{ n: number }>(names.map((name) => db.prepare(`SELECT count(*) AS n FROM "${name}"`)));
  return Object.fromEntries(names.map((name, at) => [name, requirePresent(counts[at]?.results[0]).n]));
}

test("a site moves to another database by a backup", async () => {
  const [old, moved] = [join(folder, "old"), join(folder, "moved")];
  await copyDemoState(old);
  const before = await startSite({ port: 0, persistTo: old, quiet: true, seed: "demo" });
  const { data } = await post(before, "/api/user/signin", { ...OFFICE, userKeyCode: "admin", password: "Admin!2345" });
  const counts = await countTables(before);
  const made = await post(before, "/api/admin/job/backup/run", {}, String(data.accessToken));
  expect(made.data).toEqual({ name: "backup", ok: true });
  const name = requirePresent(
    await (await databaseOf(before)).prepare("SELECT name FROM backup_run WHERE status = 'ok'").first<string>("name"),
  );
  await before.dispose();
  expect(Object.values(counts).filter((rows) => rows > 0).length).toBeGreaterThan(20);

  const done = await run("restore.ts", [name, "--from", old, "--persist-to", moved, "--without-files"]);
  expect(done).toMatchObject({ code: 0, err: "" });
  const after = await startSite({ port: 0, persistTo: moved, quiet: true, seed: "demo" });
  const found = await countTables(after);
  const lost = Object.entries(counts).filter(([table, rows]) => found[table] !== rows);
  await after.dispose();
  expect(lost).toEqual([]);
});

/** Node options that count batches and kill the process before one of them, like `kill -9`. */
const dyingAt = (batches: number) => [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import http from "node:http";
    import { syncBuiltinESMExports } from "node:module";
    const { request } = http;
    let count = 0;
    http.request = (url, ...rest) => {
      if (url.pathname === "/batch" && ++count === ${batches}) process.kill(process.pid, "SIGKILL");
      return request(url, ...rest);
    };
    syncBuiltinESMExports();
    process.on("exit", () => console.log("batches: " + count));
  `)}`,
];

test("an interrupted restore is reported at the start", async () => {
  const whole = await run(
    "restore.ts",
    [backup, "--from", origin, "--persist-to", join(folder, "counted")],
    {},
    dyingAt(0),
  );
  const batches = Number(/batches: (\d+)/.exec(whole.out)?.[1]);
  expect(batches).toBeGreaterThan(10);
  let target = "";
  // Migrations come first; the last batches write rows, and the very last removes the mark.
  for (const point of [batches - 2, batches]) {
    target = join(folder, `killed-${point}`);
    const killed = await run("restore.ts", [backup, "--from", origin, "--persist-to", target], {}, dyingAt(point));
    expect(killed.code, `batch ${point}`).toBe(null);
    await expect.poll(() => [origin, target].forEach(checkDatabases)).toBe(undefined);
    const site = await startSite({ port: 0, persistTo: target, quiet: true, seed: "demo" });
    expect(site.content, `batch ${point}`).toBe("unfinished");
    for (const path of [
      "/",
      "/board/notice/list",
      "/Account/Signin",
      "/Account/Signin.data",
      "/nowhere",
      "/api/board/notice",
    ]) {
      const response = await fetch(site.url + path);
      expect([response.status, await response.text()], path).toEqual([503, expect.stringContaining("npm run restore")]);
    }
    expect((await signIn(site)).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(await (await fetch(`${site.url}/health`)).json()).toEqual({ status: "failed", database: "unfinished" });
    await (await site.mf.getWorker()).scheduled({ cron: "* * * * *", scheduledTime: new Date() });
    expect(await (await databaseOf(site)).prepare("SELECT count(*) AS n FROM job").first("n")).toBe(0);
    await site.dispose();
  }
  const done = await run("restore.ts", [backup, "--from", origin, "--persist-to", target, "--without-files"]);
  expect(done).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining(`${backup}의 백업을 되살리다가 멈춘 곳입니다`),
  });
  const site = await startSite({ port: 0, persistTo: target, quiet: true, seed: "demo" });
  expect((await signIn(site)).code).toBe("SUCCESS");
  await site.dispose();
});

test("a backup is restored with a newer pepper", async () => {
  const target = join(folder, "rotated");
  const { PASSWORD_PEPPER: former } = JSON.parse(readFileSync(join(origin, "secrets.json"), "utf8"));
  const peppers = { PASSWORD_PEPPER: "another-pepper-0123456789abcdef0123456789", PASSWORD_PEPPER_OLD: former };
  const done = await run("restore.ts", [backup, "--from", origin, "--persist-to", target, "--without-files"], peppers);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(readFileSync(join(target, "secrets.json"), "utf8"))).toMatchObject(peppers);
});

test("a missing or different key is reported before writing", async () => {
  const target = join(folder, "refused");
  const apart = join(folder, "apart");
  const restore = (environment: Record<string, string>, ...args: string[]) =>
    run("restore.ts", [backup, "--from", origin, "--persist-to", target, ...args], environment);
  const wrongKey = await restore({ BACKUP_KEY: "another-key-0123456789abcdef0123456789abcdef" });
  expect(wrongKey).toMatchObject({ code: 1, err: expect.stringContaining("다른 BACKUP_KEY") });
  const wrongPepper = await restore({ PASSWORD_PEPPER: "another-pepper-0123456789abcdef0123456789" });
  expect(wrongPepper).toMatchObject({
    code: 1,
    err: expect.stringContaining("PASSWORD_PEPPER가 백업을 만든 사이트의 것과"),
  });
  expect(existsSync(target)).toBe(false);
  const nowhere = await run("restore.ts", [backup, "--from", apart, "--persist-to", target]);
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining("백업이 있는 폴더가 아닙니다") });
});
