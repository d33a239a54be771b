/** @module-tag full */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { createOfficeAdministrator, databaseOf, killWorkerd, OFFICE } from "../support/kill-site.ts";
import { SITE_INVARIANTS } from "../support/site-invariants.ts";
import { removeLimits } from "../support/test-site.ts";

/** Kills of workerd during writes: `KILLS=60 npx vitest run --project node test/local/mixed-kill.test.ts`. */
const KILLS = Number(process.env.KILLS || 2);
const PASSWORD = "Zk7!mQ2x";
const folder = mkdtempSync(join(tmpdir(), "hoewon-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  code: string;
  message?: string;
  data: Record<string, string | number>;
}
/** An acknowledged write, with the SQL that checks for it. */
interface Acknowledged {
  what: string;
  sql: string;
  value: string;
}
interface Unanswered {
  what: string;
  again(): Promise<Answer>;
  sql: string;
  value: string;
}
interface Person {
  userId: string;
  accessToken: string;
  refreshToken: string;
}

let site: RunningSite;
let serial = 0;
const acknowledged: Acknowledged[] = [];
let unanswered: Unanswered[] = [];
const people: Person[] = [];
let office: Person;

async function send(method: string, path: string, body: unknown, token = "", key?: string): Promise<Answer> {
  const headers = {
    "Content-Type": "application/json",
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(key && { "Idempotency-Key": key }),
  };
  const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}

const COUNTS = {
  item: "SELECT count(*) AS n FROM board_item WHERE title = ?",
  comment: "SELECT count(*) AS n FROM board_item_comment WHERE content = ?",
  person: "SELECT count(*) AS n FROM alumni WHERE name = ?",
  member: "SELECT count(*) AS n FROM user_key WHERE user_key_code = ?",
  imported: "SELECT count(*) / 3 AS n FROM alumni WHERE name GLOB ? || '.[0-2]'",
};

async function make(what: keyof typeof COUNTS, value: string, call: () => Promise<Answer>): Promise<Answer | null> {
  const sql = COUNTS[what];
  try {
    const answer = await call();
    expect([what, answer.code, answer.message]).toEqual([what, "SUCCESS", undefined]);
    acknowledged.push({ what, sql, value });
    return answer;
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    unanswered.push({ what, again: call, sql, value });
    return null;
  }
}

async function signUp(): Promise<void> {
  const userKeyCode = `person${++serial}`;
  const address = { userKeyType: "Email", userKeyCode: `${userKeyCode}@pid.example.kr` };
  const { userKeyToken } = (await send("POST", "/api/user-key/check", address)).data;
  const pincode = await (
    await databaseOf(site)
  )
    .prepare("SELECT pincode FROM message WHERE recipient = ? AND pincode IS NOT NULL")
    .bind(address.userKeyCode)
    .first<string>("pincode");
  const verified = (await send("POST", "/api/user-key/confirm", { userKeyToken, pincode })).data.userKeyToken;
  const form = { userKeyType: "Id", userKeyCode, password: PASSWORD, userName: "홍길동", profile: {}, agreements: [] };
  const body = { ...form, userKeyTokenForEmail: verified };
  const key = crypto.randomUUID();
  if (!(await make("member", userKeyCode, () => send("POST", "/api/user/signup", body, "", key)))) return;
  const { data } = await send("POST", "/api/user/signin", { userKeyType: "Id", userKeyCode, password: PASSWORD });
  people.push({ userId: userKeyCode, accessToken: String(data.accessToken), refreshToken: String(data.refreshToken) });
}

/** Refreshes the token; a lost answer must not end the session. */
async function refresh(person: Person): Promise<void> {
  const body = { refreshToken: person.refreshToken, attempt: crypto.randomUUID() };
  const trade = async () => {
    const answer = await send("POST", "/api/user/signin-by-refresh-token", body);
    if (answer.code === "SUCCESS") Object.assign(person, answer.data);
    return answer;
  };
  const alive =
    "SELECT count(*) AS n FROM session JOIN user_key USING (user_id) WHERE user_key_code = ? AND revoked_date IS NULL";
  try {
    expect(await trade()).toMatchObject({ code: "SUCCESS" });
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    unanswered.push({ what: "token", again: trade, sql: alive, value: person.userId });
  }
}

async function importPeople(): Promise<void> {
  const name = `가져온${++serial}`;
  const csv = ["이름,기수", ...[0, 1, 2].map((n) => `${name}.${n},3`)].join("\r\n");
  const size = new TextEncoder().encode(csv).length;
  const { data } = await send("POST", "/api/alumni/upload-url", { fileName: "동문.csv", size }, office.accessToken);
  await fetch(site.url + String(data.uploadUrl), { method: "PUT", body: csv });
  const body = { fileId: data.fileId, mode: "upsert", dryRun: false };
  const key = crypto.randomUUID();
  await make("imported", name, () => send("POST", "/api/alumni/import-data", body, office.accessToken, key));
}

const itemNos: number[] = [];
async function writeItem(by: Person): Promise<void> {
  const title = `글 ${++serial}`;
  const body = { title, content: "<p>본문입니다.</p>", fileIds: [] };
  const key = crypto.randomUUID();
  const answer = await make("item", title, () => send("PUT", "/api/board-item/free", body, by.accessToken, key));
  if (answer) itemNos.push(Number(answer.data.itemNo));
}
async function writeComment(by: Person): Promise<void> {
  const content = `댓글 ${++serial}`;
  const path = `/api/board-item-comment/free/${itemNos[serial % itemNos.length]}`;
  const key = crypto.randomUUID();
  await make("comment", content, () => send("PUT", path, { content }, by.accessToken, key));
}
async function addPerson(): Promise<void> {
  const name = `사람${++serial}`;
  const key = crypto.randomUUID();
  await make("person", name, () => send("PUT", "/api/alumni", { name }, office.accessToken, key));
}

async function writeUntilKilled(start: number, isKilled: () => boolean): Promise<void> {
  const steps = [
    () => writeItem(office),
    () => writeComment(office),
    addPerson,
    signUp,
    () => writeItem(people.at(-1) ?? office),
    importPeople,
    () => writeComment(people.at(-1) ?? office),
    () => refresh(people[start % people.length] ?? office),
  ];
  for (let turn = start; !isKilled(); turn += 1)
    try {
      await steps[turn % steps.length]?.();
    } catch (error) {
      if (!isKilled()) throw error;
    }
}

const start = () => startSite({ port: 0, persistTo: folder, quiet: true, seed: "empty" });

async function openSignup(): Promise<void> {
  const db = await databaseOf(site);
  await db.batch(
    ["terms", "privacy"].flatMap((code) => [
      db
        .prepare(
          "INSERT OR IGNORE INTO content (code, status, modified_date, modified_user_name) VALUES (?, 'published', 1, '')",
        )
        .bind(code),
      db
        .prepare(
          `INSERT OR IGNORE INTO content_version (code, version_no, value, effective_date, created_date, created_user_name)
         VALUES (?, 1, '{"title":"문서","content":"<p>문서</p>"}', 1, 1, '')`,
        )
        .bind(code),
    ]),
  );
}

/** @returns acknowledged writes that are lost, and broken invariants */
async function findFaults(): Promise<string[]> {
  const db = await databaseOf(site);
  const faults: string[] = [];
  const isOne = (count: number | null) => count === 1;
  const rows = await db.batch<{ n: number }>(acknowledged.map(({ sql, value }) => db.prepare(sql).bind(value)));
  for (const [at, { what, value }] of acknowledged.entries())
    if (!isOne(rows[at]?.results[0]?.n ?? null))
      faults.push(`${what} ${value} is there ${rows[at]?.results[0]?.n} times`);
  for (const [name, sql] of Object.entries(SITE_INVARIANTS)) {
    const broken = await db.prepare(sql).first<number>("n");
    if (broken !== 0) faults.push(`${name}: ${broken}`);
  }
  return faults;
}

test(
  `killed ${KILLS} times under mixed writes, nothing acknowledged is lost`,
  async ({ annotate }) => {
    site = await start();
    await createOfficeAdministrator(site, folder);
    await removeLimits(await databaseOf(site));
    await openSignup();
    const signedIn = (await send("POST", "/api/user/signin", OFFICE)).data;
    office = { userId: OFFICE.userKeyCode, ...(signedIn as unknown as Omit<Person, "userId">) };
    await signUp();
    await writeItem(office);
    let sentAgain = 0;
    for (let round = 0; round < KILLS; round += 1) {
      // Refreshes the session, so that it cannot expire during a round.
      await refresh(office);
      let isKilled = false;
      const writers = [0, 2, 3, 5, 7].map((first) => writeUntilKilled(first + round, () => isKilled));
      const before = acknowledged.length;
      // Kills at a different point each time, counted in writes instead of time.
      await expect.poll(() => acknowledged.length - before, { interval: 1 }).toBeGreaterThan(5 + ((round * 7) % 23));
      isKilled = true;
      killWorkerd();
      await Promise.all(writers);
      await site.dispose();
      site = await start();
      expect([round, await findFaults()]).toEqual([round, []]);
      const again = unanswered;
      unanswered = [];
      sentAgain += again.length;
      for (const { what, again: resend, sql, value } of again) {
        const answer = await resend();
        expect([round, what, value, answer.code, answer.message]).toEqual([round, what, value, "SUCCESS", undefined]);
        const count = await (await databaseOf(site)).prepare(sql).bind(value).first<number>("n");
        expect([what, value, count]).toEqual([what, value, 1]);
      }
      expect([round, await findFaults()]).toEqual([round, []]);
    }
    const written: Record<string, number> = {};
    for (const { what } of acknowledged) written[what] = (written[what] ?? 0) + 1;
    await annotate(
      `${KILLS} kills: ${JSON.stringify(written)} acknowledged, ${sentAgain} sent again, 0 lost, 0 broken`,
    );
    await site.dispose();
  },
  900_000 + KILLS * 60_000,
);
