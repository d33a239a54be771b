import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { connect } from "#db/client.ts";
import { user, userKey } from "#db/schema.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { type Site, startSite } from "#worker/local/site.ts";

const ROWS = 5000;
/** Points of the import at which workerd is killed; `KILLS=20` for the whole of fault F13. */
const KILLS = Number(process.env.KILLS ?? 4);
const PASSWORD = "Secret!234";
const folder = mkdtempSync(join(tmpdir(), "hoewon-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = () => startSite({ port: 0, persistTo: folder, quiet: true, seed: "empty" });
const database = async (site: Site) => (await site.mf.getBindings<{ DB: D1Database }>()).DB;
const countPeople = async (site: Site) =>
  (await database(site)).prepare("SELECT count(*) AS n FROM alumni").first<number>("n");

/** The workerd processes that this test's own process started. */
function workerds(): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"))
    .map(([pid]) => Number(pid));
}

async function createAdministrator(site: Site): Promise<void> {
  const db = connect(await database(site));
  const { PASSWORD_PEPPER } = JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8"));
  const now = new Date();
  const id = crypto.randomUUID();
  const passwordHash = hashPassword(PASSWORD, PASSWORD_PEPPER);
  const person = {
    id,
    userName: "관리자",
    userType: "Admin" as const,
    roleCode: "administrator",
    status: "active" as const,
  };
  await db.batch([
    db.insert(user).values({ ...person, passwordHash, profile: {}, createdDate: now, modifiedDate: now }),
    db.insert(userKey).values({ userKeyType: "Id", userKeyCode: "office", userId: id }),
  ]);
}

async function call(
  site: Site,
  path: string,
  body: unknown,
  token = "",
): Promise<{ code: string; data: Record<string, string> }> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as { code: string; data: Record<string, string> };
}

const CSV = `이름,기수,졸업연도,소속,이메일\n${Array.from({ length: ROWS }, (_, at) => `사람${at},3,2004,한빛병원,p${at}@pid.example.kr`).join("\n")}\n`;

/** Everything up to the import itself. @returns what sends it */
async function ready(site: Site): Promise<() => Promise<{ code: string; data: Record<string, unknown> }>> {
  const signin = { userKeyType: "Id", userKeyCode: "office", password: PASSWORD };
  const token = (await call(site, "/api/user/signin", signin)).data.accessToken ?? "";
  const size = new TextEncoder().encode(CSV).length;
  const { data } = await call(site, "/api/alumni/upload-url", { fileName: "오천.csv", size }, token);
  await fetch(site.url + data.uploadUrl, { method: "PUT", body: CSV });
  return () => call(site, "/api/alumni/import-data", { fileId: data.fileId, mode: "upsert" }, token);
}

test("killed in the middle, an import of 5,000 rows is there whole or not at all, and once more makes it whole", async () => {
  let site = await start();
  await createAdministrator(site);
  const send = await ready(site);
  const began = performance.now();
  expect(await send()).toMatchObject({ code: "SUCCESS", data: { inserted: ROWS } });
  const wholeMs = performance.now() - began;

  for (let at = 1; at <= KILLS; at++) {
    await (await database(site)).exec("DELETE FROM alumni");
    const killed = (await ready(site))().catch(() => "cut off");
    await new Promise((resolve) => setTimeout(resolve, (wholeMs * at) / (KILLS + 1)));
    const victims = workerds();
    expect(victims).not.toEqual([]);
    for (const pid of victims) process.kill(pid, "SIGKILL");
    await killed;
    await site.dispose();
    site = await start();
    expect([0, ROWS]).toContain(await countPeople(site));
  }

  const again = await ready(site);
  expect((await again()).code).toBe("SUCCESS");
  expect(await countPeople(site)).toBe(ROWS);
  expect(await again()).toMatchObject({ data: { inserted: 0, updated: 0, unchanged: ROWS } });
  await site.dispose();
}, 240_000);
