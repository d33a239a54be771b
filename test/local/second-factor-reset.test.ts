import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UNFINISHED } from "#db/page-stamps.ts";
import { type RunningSite, startSite } from "#worker/local/site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PASSWORD = "Restore!234";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hoewon-reset-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function createAdmin(args: string[], password = PASSWORD) {
  const script = ["--disable-warning=ExperimentalWarning", "worker/local/create-admin.ts"];
  const child = spawn(process.execPath, [...script, ...args, "--persist-to", folder], {
    cwd: ROOT,
    env: { ...process.env, ADMIN_PASSWORD: password },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  return { code, out, err };
}

const start = () =>
  startSite({ port: 0, persistTo: folder, quiet: true, seed: "empty", vars: { SECOND_FACTOR: "required" } });

interface Answer {
  code: string;
  data: Record<string, unknown>;
}
const call = async (site: RunningSite, method: string, path: string, token: string, body?: object) =>
  (
    await fetch(`${site.url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  ).json() as Promise<Answer>;
const signIn = async (site: RunningSite) => {
  const body = { userKeyType: "Id", userKeyCode: "office", password: PASSWORD };
  const { data } = await call(site, "POST", "/api/user/signin", "", body);
  return { pending: data.secondFactor === "pending", token: String(data.accessToken) };
};

const PERSON = ["--id", "office", "--name", "홍길동", "--email", "office@example.kr"];

/** An administrator who lost the passkey, with one session from before it and one waiting for it. */
async function lockAdministratorOut() {
  const made = await createAdmin(PERSON);
  expect(made).toMatchObject({ code: 0, err: "" });
  const site = await start();
  const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
  const first = await signIn(site);
  const userId = await DB.prepare("SELECT id FROM user").first<string>("id");
  await DB.batch([
    DB.prepare(
      "INSERT INTO second_factor (id, user_id, kind, name, credential_id, public_key, created_date) VALUES ('factor', ?, 'passkey', '잃어버린 열쇠', 'lost', 'lost', 1)",
    ).bind(userId),
    DB.prepare("INSERT INTO recovery_code (hash, user_id, created_date) VALUES ('x', ?, 1)").bind(userId),
  ]);
  const locked = await signIn(site);
  const refused = await call(site, "GET", "/api/admin/role", locked.token);
  await site.dispose();
  return { first, locked, refused, userId };
}

test("the command without a terminal needs ADMIN_PASSWORD", { tags: "full", timeout: 180_000 }, async () => {
  const noTerminal = await createAdmin(PERSON, "");
  expect(noTerminal).toMatchObject({ code: 1, out: "" });
  expect(noTerminal.err.split("\n").at(-2)).toBe(
    "비밀번호를 물을 터미널이 없습니다. ADMIN_PASSWORD 환경변수로 지정해 주십시오.",
  );
});

test("the command lets the last administrator in for a new factor", { tags: "full", timeout: 180_000 }, async () => {
  const { first, locked, refused } = await lockAdministratorOut();
  expect([first.pending, locked.pending]).toEqual([false, true]);
  expect(refused.data).toEqual({ reason: "SECOND_FACTOR_REQUIRED" });

  expect(await createAdmin(["--reset-second-factor", "--id", "nobody"])).toMatchObject({
    code: 1,
    err: "그런 아이디가 없습니다: nobody\n",
  });
  const reset = await createAdmin(["--reset-second-factor", "--id", "OFFICE"]);
  expect([reset.code, reset.err, reset.out]).toEqual([0, "", expect.stringContaining("2단계 인증을 해제하였습니다")]);

  const after = await start();
  const stored = (await after.mf.getBindings<{ DB: D1Database }>()).DB;
  for (const table of ["second_factor", "recovery_code"])
    expect(await stored.prepare(`SELECT count(*) AS n FROM ${table}`).first("n"), table).toBe(0);
  for (const { token } of [first, locked])
    expect((await call(after, "GET", "/api/second-factor", token)).code).toBe("UNAUTHORIZED");
  const again = await signIn(after);
  expect(again.pending).toBe(false);
  expect((await call(after, "GET", "/api/admin/role", again.token)).data).toEqual({ reason: "SECOND_FACTOR_SETUP" });
  await after.dispose();
});

test("the administrator has a letter about a reset by command", { tags: "full", timeout: 180_000 }, async () => {
  const { userId } = await lockAdministratorOut();
  await createAdmin(["--reset-second-factor", "--id", "OFFICE"]);
  const after = await start();
  const stored = (await after.mf.getBindings<{ DB: D1Database }>()).DB;
  const { results } = await stored
    .prepare("SELECT actor_user_id, address, target_id FROM audit_log WHERE action = 'second-factor.reset'")
    .all();
  expect(results).toEqual([{ actor_user_id: null, address: "command", target_id: userId }]);
  const letters = await stored.prepare("SELECT channel, recipient, subject, body, status FROM message").all();
  expect(letters.results).toEqual([
    {
      channel: "email",
      recipient: "office@example.kr",
      subject: expect.stringContaining("2단계 인증 정보가 변경되었습니다"),
      body: expect.stringContaining("서버 관리자의 명령으로 2단계 인증 해제"),
      status: "queued",
    },
  ]);
  await after.dispose();
});

test("neither command writes to a database whose restore has not finished", { tags: "full" }, async () => {
  const half = await start();
  const { DB } = await half.mf.getBindings<{ DB: D1Database }>();
  const rows = "SELECT (SELECT count(*) FROM user) + (SELECT count(*) FROM audit_log) AS n";
  const before = await DB.prepare(rows).first("n");
  await DB.prepare(`INSERT INTO page_stamp (scope, stamp) VALUES ('${UNFINISHED}', '2026-11-01')`).run();
  await half.dispose();
  for (const act of [["--name", "김철수", "--email", "second@example.kr"], ["--reset-second-factor"]])
    expect(await createAdmin([...act, "--id", "second"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("되살리다가 멈춘 자료라서"),
    });
  const again = await start();
  const stored = (await again.mf.getBindings<{ DB: D1Database }>()).DB;
  expect(await stored.prepare(rows).first("n")).toBe(before);
  await again.dispose();
});
