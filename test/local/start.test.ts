import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSite } from "#worker/local/site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NO_WARNING = "--disable-warning=ExperimentalWarning";
let folder: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hoewon-start-"));
});
afterEach(async () => {
  for (const child of running) await end(child);
  rmSync(folder, { recursive: true, force: true });
});

/** `npm start -- --empty` without npm. Resolves on exit or when the outbox address is printed. */
async function start(environment: Record<string, string> = {}, as: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [NO_WARNING, "worker/local/start.ts", "--empty"], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", PERSIST_TO: folder, ...environment },
    ...as,
  });
  running.add(child);
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise<number | null>((done) => {
    child.on("exit", done);
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.includes("/dev/outbox\n")) done(null);
    });
  });
  return { child, code, lines: out.split("\n").filter(Boolean), errors: err.split("\n").filter(Boolean) };
}

async function end(child: ChildProcess): Promise<number | null> {
  running.delete(child);
  if (child.exitCode !== null) return child.exitCode;
  child.kill("SIGTERM");
  return new Promise((done) => child.once("exit", done));
}

describe("start", () => {
  test("refuses a second start on its folder", async () => {
    const { child, lines, errors } = await start();
    expect(errors).toEqual([]);
    expect(lines).toHaveLength(3);
    const url = lines[0]?.replace("주소: ", "") ?? "";
    expect((await fetch(url)).status).toBe(200);
    const other = await start();
    expect(other.code).toBe(1);
    expect(other.errors).toEqual([expect.stringContaining("이미 쓰고 있는 자료 폴더")]);
    expect((await fetch(url)).status).toBe(200);
    expect(await end(child)).toBe(0);

    const databases = globSync("v3/d1/*/*.sqlite", { cwd: folder }).filter((name) => !name.includes("metadata"));
    writeFileSync(join(folder, databases[0] ?? ""), "이것은 데이터베이스가 아닙니다".repeat(100));
    const broken = await start();
    expect(broken.code).toBe(1);
    expect(broken.errors).toEqual([expect.stringContaining("손상되어 열 수 없습니다")]);
  });

  test("a data folder without write permission is reported with the reason", { tags: "full" }, async () => {
    await end((await start()).child);
    const names = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
    const database = names.find((name) => name.endsWith(".sqlite"));
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const locked of ["", "v3", "running.lock", "secrets.json", database ?? ""]) {
      for (const name of names) chmodSync(join(folder, name), name === locked ? 0o555 : 0o777);
      // wrangler reads the home of its user.
      const refused = await start({ HOME: tmpdir() }, other);
      expect(refused.code, locked).toBe(1);
      expect(refused.errors, locked).toEqual([
        `자료 폴더에 쓸 수 없습니다: ${join(folder, locked)} — 쓸 권한이 없습니다. 소유자와 권한을 확인하거나 PERSIST_TO로 다른 폴더를 지정해 주십시오.`,
      ]);
    }
    chmodSync(folder, 0o777);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    expect((await start()).errors).toEqual([expect.stringContaining("폴더가 아니라 파일입니다")]);
  });

  test("finds the administrator that admin:create wrote into the folder of PERSIST_TO", { tags: "full" }, async () => {
    const created = spawnSync(
      process.execPath,
      [NO_WARNING, "worker/local/create-admin.ts", "--id", "office01", "--name", "홍길동", "--email", "a@example.kr"],
      { cwd: ROOT, env: { ...process.env, PERSIST_TO: folder, ADMIN_PASSWORD: "Office!2345" }, encoding: "utf8" },
    );
    expect([created.stderr, created.stdout]).toEqual(["", "관리자를 만들었습니다: office01\n"]);
    const { lines } = await start();
    expect(lines[1]).toBe("계정: 이 자료 폴더에 있는 관리자와 회원으로 로그인하십시오");
  });

  test("reports a busy port in one line", { tags: "full" }, async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const { code, errors } = await start({ PORT: port });
    other.close();
    expect(code).toBe(1);
    expect(errors).toEqual([expect.stringContaining(`${port}번 포트를 다른 프로그램이 쓰고 있습니다`)]);
  });

  test("reports an invalid setting", async () => {
    const { code, errors } = await start({ CASE_REPORT_URL: "아무데나" });
    expect(code).toBe(1);
    expect(errors).toEqual([expect.stringContaining("CASE_REPORT_URL")]);
  });
});

test("a second start keeps the data", { tags: "full" }, async () => {
  const quiet = { port: 0, persistTo: folder, quiet: true };
  const first = await startSite({ ...quiet, seed: "empty" });
  const { DB, KV } = await first.mf.getBindings<Pick<Env, "DB" | "KV">>();
  await DB.exec("CREATE TABLE kept (value TEXT)");
  await KV.put("kept", "네");
  await first.dispose();
  const second = await startSite({ ...quiet, seed: "demo" });
  const again = await second.mf.getBindings<Pick<Env, "DB" | "KV">>();
  expect(await again.DB.prepare("SELECT count(*) AS n FROM kept").first("n")).toBe(0);
  expect(await again.KV.get("kept")).toBe("네");
  expect(second.content).toBe("empty");
  await second.dispose();
});
