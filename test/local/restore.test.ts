import { requirePresent } from "../support/require-present.ts";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { createOfficeAdministrator, databaseOf, OFFICE } from "../support/kill-site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NO_WARNING = "--disable-warning=ExperimentalWarning";
let folder: string;
let origin: string;
let backup: string;

async function run(script: string, args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [NO_WARNING, `worker/local/${script}`, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  return { code, out, err };
}

const post = async (site: RunningSite, path: string, body: object, token = "") =>
  (
    await fetch(`${site.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
  ).json() as Promise<{ code: string; data: Record<string, unknown> }>;

const signIn = (site: RunningSite) => post(site, "/api/user/signin", OFFICE);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hoewon-restore-"));
  origin = join(folder, "origin");
  const site = await startSite({ port: 0, persistTo: origin, quiet: true, seed: "empty" });
  await createOfficeAdministrator(site, origin);
  const { data } = await signIn(site);
  const made = await post(site, "/api/admin/job/backup/run", {}, String(data.accessToken));
  expect(made.data).toEqual({ name: "backup", ok: true });
  const db = await databaseOf(site);
  backup = requirePresent(await db.prepare("SELECT name FROM backup_run WHERE status = 'ok'").first<string>("name"));
  await site.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the drill of the README: restored with one command, started, and signed in with the old password", async () => {
  const restored = join(folder, "restored");
  const done = await run("restore.ts", [backup, "--from", origin, "--persist-to", restored]);
  expect(done.err).toBe("");
  expect(done.out).toContain("건수와 크기를 모두 대조하였습니다");
  expect(done.out).toContain("모든 로그인이 끝났습니다");
  const site = await startSite({ port: 0, persistTo: restored, quiet: true, seed: "demo" });
  expect(site.content).toBe("empty");
  expect((await signIn(site)).code).toBe("SUCCESS");
  await site.dispose();
  const again = await run("restore.ts", [backup, "--from", origin, "--persist-to", restored]);
  expect(again).toMatchObject({ code: 1 });
  expect(again.err).toContain("비어 있지 않은 데이터베이스입니다");
}, 120_000);

test("a pepper that came after the backup's restores it, if it is given with the one before it", async () => {
  const target = join(folder, "rotated");
  const { PASSWORD_PEPPER: former } = JSON.parse(readFileSync(join(origin, "secrets.json"), "utf8"));
  const peppers = { PASSWORD_PEPPER: "another-pepper-0123456789abcdef0123456789", PASSWORD_PEPPER_OLD: former };
  const done = await run("restore.ts", [backup, "--from", origin, "--persist-to", target], peppers);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(readFileSync(join(target, "secrets.json"), "utf8"))).toMatchObject(peppers);
});

test("a key or a pepper that is missing or another one is named before anything is written", async () => {
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
