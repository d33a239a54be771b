/** @module-tag full */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { COUNTING_WORKER, KILL_HOST } from "../support/counting-worker.ts";
import { createOfficeAdministrator, databaseOf, killWorkerd, OFFICE } from "../support/kill-site.ts";

const ROWS = 5000;
/** Number of kills during an import; `KILLS=20` is the full fault F13. Undo and export use half. */
const KILLS = Number(process.env.KILLS ?? 2);
const folder = mkdtempSync(join(tmpdir(), "hoewon-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let kills = 0;
function outbound(request: { url: string }): never | Promise<never> {
  if (new URL(request.url).hostname !== KILL_HOST) throw new Error(`no answer for ${request.url}`);
  kills += 1;
  killWorkerd();
  return new Promise<never>(() => {});
}
const start = () =>
  startSite({
    port: 0,
    persistTo: folder,
    quiet: true,
    seed: "empty",
    wrapperModule: COUNTING_WORKER,
    outbound,
  });
async function first<T>(site: RunningSite, statement: string): Promise<T | null> {
  return (await databaseOf(site)).prepare(statement).first<T>("n");
}
const countPeople = (site: RunningSite) => first<number>(site, "SELECT count(*) AS n FROM alumni");

type KillAnswer = { code: string; data: Record<string, never> & { inserted?: number; fileId?: string; left?: number } };
type Call = (method: string, path: string, body?: unknown) => Promise<KillAnswer>;

async function caller(site: RunningSite): Promise<Call> {
  const send = async (method: string, path: string, body: unknown, token = "") => {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as KillAnswer;
  };
  const { data } = await send("POST", "/api/user/signin", OFFICE);
  return (method, path, body = {}) => send(method, path, body, String(data.accessToken));
}

const PEOPLE = Array.from({ length: ROWS }, (_, at) => [`사람${at}`, "3", "2004", "한빛병원", `p${at}@pid.example.kr`]);
const HEADERS = ["이름", "기수", "졸업연도", "소속", "이메일"];
const CSV = [HEADERS, ...PEOPLE].map((row) => row.join(",")).join("\n");

async function prepareUpload(site: RunningSite, call: Call): Promise<() => Promise<KillAnswer>> {
  const size = new TextEncoder().encode(CSV).length;
  const { data } = await call("POST", "/api/alumni/upload-url", { fileName: "오천.csv", size });
  await fetch(site.url + String(data.uploadUrl), { method: "PUT", body: CSV });
  return () => call("POST", "/api/alumni/import-data", { fileId: data.fileId, mode: "upsert" });
}

async function previewed(call: Call): Promise<() => Promise<KillAnswer>> {
  const parts = [PEOPLE.slice(0, 2000), PEOPLE.slice(2000, 4000), PEOPLE.slice(4000)];
  const mapping = Object.fromEntries(HEADERS.map((head) => [head, head]));
  const opening = { fileName: "오천.xlsx", headRow: 1, heads: HEADERS, mapping, parts: parts.length };
  const { importId } = (await call("POST", "/api/alumni/import/open", opening)).data;
  for (const [at, people] of parts.entries()) {
    const rows = people.map((cells, row) => [2 + at * 2000 + row, cells]);
    await call("PUT", `/api/alumni/import/${importId}/part/${at + 1}`, { rows });
  }
  await call("POST", `/api/alumni/import/${importId}/plan`, { mode: "upsert" });
  return () => commitAll(call, String(importId));
}

async function commitAll(call: Call, importId: string): Promise<KillAnswer> {
  for (;;) {
    const answer = await call("POST", `/api/alumni/import/${importId}/commit`);
    if (answer.code !== "SUCCESS" || answer.data.left === 0) return answer;
  }
}

/** @returns the number of statements */
async function counted(site: RunningSite, work: () => Promise<KillAnswer>): Promise<number> {
  await fetch(`${site.url}/__kill?at=0`);
  expect((await work()).code).toBe("SUCCESS");
  return Number(await (await fetch(`${site.url}/__count`)).json());
}

/** Kills workerd at the given statement and restarts the site on the stored data. */
async function killDuring(site: RunningSite, work: () => Promise<KillAnswer>, at: number): Promise<RunningSite> {
  const before = kills;
  await fetch(`${site.url}/__kill?at=${at}`);
  await expect(work()).rejects.toThrow();
  expect(kills - before, `statement ${at}`).toBe(1);
  await site.dispose();
  return start();
}

async function deleteAllAlumni(site: RunningSite): Promise<void> {
  const db = await databaseOf(site);
  const tables = ["alumni", "alumni_import", "alumni_staging", "rate_limit"];
  await db.batch(tables.map((table) => db.prepare(`DELETE FROM ${table}`)));
}

test(`killed at ${KILLS} points, an import or export loses nothing`, async () => {
  let site = await start();
  await createOfficeAdministrator(site, folder);
  let call = await caller(site);
  const importCount = await counted(site, await prepareUpload(site, call));
  await deleteAllAlumni(site);
  const commitCount = await counted(site, await previewed(call));
  const points = (count: number, statements: number) =>
    Array.from({ length: count }, (_, at) => Math.ceil((statements * (at + 1)) / (count + 1)));

  for (let at = 0; at < KILLS; at += 1) {
    await deleteAllAlumni(site);
    const inParts = at % 2 === 1;
    const work = await (inParts ? previewed(call) : prepareUpload(site, call));
    const point = points(KILLS, inParts ? commitCount : importCount)[at] ?? 1;
    site = await killDuring(site, work, point);
    const people = await countPeople(site);
    // In parts, any number of whole steps; otherwise all or none.
    if (!inParts) expect([0, ROWS], JSON.stringify(at)).toContain(people);
    expect(await first(site, "SELECT count(*) AS n FROM alumni_import"), `${at} ${point}`).toBe(people === 0 ? 0 : 1);
    call = await caller(site);
    // The staged rows remain, so the commit can be repeated.
    const importId = inParts ? await first<string>(site, "SELECT id AS n FROM alumni_staging WHERE parts > 0") : null;
    const again = importId ? () => commitAll(call, importId) : await prepareUpload(site, call);
    expect((await again()).code, `${at} ${point}`).toBe("SUCCESS");
    expect(await countPeople(site), `${at} ${point}`).toBe(ROWS);
  }

  const undo = async () => {
    const importId = await first<string>(site, "SELECT id AS n FROM alumni_import");
    return async () => {
      for (;;) {
        const answer = await call("POST", `/api/alumni/import/${importId}/undo`);
        if (answer.code !== "SUCCESS" || answer.data.left === 0) return answer;
      }
    };
  };
  const undoCount = await counted(site, await undo());
  for (const point of points(KILLS / 2, undoCount)) {
    await deleteAllAlumni(site);
    await (
      await prepareUpload(site, call)
    )();
    site = await killDuring(site, await undo(), point);
    const people = await countPeople(site);
    // Undo removes whole steps, and the record tells whether it finished.
    expect([0, 1000, 2000, 3000, 4000, ROWS], JSON.stringify(point)).toContain(people);
    expect(await first(site, "SELECT undone_date IS NOT NULL AS n FROM alumni_import"), `${point}`).toBe(
      people === 0 ? 1 : 0,
    );
    call = await caller(site);
    expect((await (await undo())()).code, `${point}`).toBe(people === 0 ? "CONFLICT" : "SUCCESS");
    expect(await countPeople(site), `${point}`).toBe(0);
  }

  await deleteAllAlumni(site);
  await (
    await prepareUpload(site, call)
  )();
  const exported = () =>
    call("POST", "/api/alumni/export-data", { filter: {}, format: "xlsx", count: ROWS, reason: "총회 안내" });
  const exportCount = await counted(site, exported);
  for (const point of points(KILLS / 2, exportCount)) {
    // The exports exceed the daily limit.
    await (await databaseOf(site)).exec("DELETE FROM rate_limit");
    site = await killDuring(site, exported, point);
    const ready = "SELECT count(*) AS n FROM file WHERE purpose = 'alumni-export' AND status = 'ready'";
    const logged = "SELECT count(*) AS n FROM audit_log WHERE action = 'alumni.export'";
    expect(await first(site, ready), `${point}`).toBe(await first(site, logged));
    call = await caller(site);
    expect(await exported(), `${point}`).toMatchObject({ code: "SUCCESS", data: { rows: ROWS } });
  }
  await site.dispose();
}, 900_000);
