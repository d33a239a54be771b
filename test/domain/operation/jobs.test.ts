import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { refreshToken, session } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { testDatabase, readRow, readValue, runSql } from "../../support/test-database.ts";
import { runAllJobs, runDueJobs } from "../../support/scheduled-jobs.ts";
import { connectDatabase } from "#db/client.ts";
import { reindexStaleItems } from "#worker/domain/board/search-index.server.ts";
import { countStatements } from "#worker/adapters/invocation.server.ts";
import { JOB_LABELS } from "#worker/contract/operation/operation.ts";
import { queueBulkMessages } from "#worker/domain/mail/message.server.ts";
import { makeBackup, restoreToScratch } from "../../support/backup.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const DAY_MS = 86_400_000;
const PDF = new TextEncoder().encode("%PDF-1.4 test");

async function upload(session_: TestSession): Promise<string> {
  const query = `boardCode=notice&fileName=${encodeURIComponent("안내문.pdf")}&size=${PDF.byteLength}`;
  const ticket = await callAs(session_, "GET", `/api/board-item-file/upload-url?${query}`);
  const stored = await callJson("PUT", ticket.data.uploadUrl, {
    body: PDF,
    headers: { "Content-Type": "application/pdf" },
  });
  expect(stored.code).toBe("SUCCESS");
  return ticket.data.fileId;
}

const age = (fileId: string, ms: number) =>
  testDatabase()
    .update(file)
    .set({ createdDate: new Date(Date.now() - ms) })
    .where(eq(file.id, fileId));

test("an unused upload is deleted after 24 hours", async () => {
  const admin = await createAdministratorSession();
  const [loose, fresh, used] = [await upload(admin), await upload(admin), await upload(admin)];
  const itemNo = await createTestItem(admin, "notice", { fileIds: [used] });
  await Promise.all([age(loose, DAY_MS + 1000), age(used, DAY_MS + 1000), age(fresh, DAY_MS - 60_000)]);

  await runAllJobs(env);

  const left = await testDatabase().select().from(file);
  expect(left.map((row) => row.id).toSorted()).toEqual([fresh, used].toSorted());
  expect((await env.FILES.list({ prefix: "f/" })).objects).toHaveLength(2);
  const view = await callJson("GET", `/api/board-item/notice/${itemNo}`);
  expect(view.data.files).toMatchObject([{ fileId: used, fileName: "안내문.pdf", contentType: "application/pdf" }]);
});

test("only expired rows are deleted", async () => {
  const person = await createMemberSession();
  const past = new Date(Date.now() - 2 * DAY_MS);
  await testDatabase().batch([
    testDatabase().insert(rateLimit).values({ key: "old", count: 3, resetDate: past }),
    testDatabase()
      .insert(boardItemView)
      .values({ itemId: 1, day: past.toISOString().slice(0, 10), part: 0, viewers: 1 }),
  ]);
  const gone = await createMemberSession();
  await testDatabase()
    .update(refreshToken)
    .set({ expiresDate: past })
    .where(eq(refreshToken.sessionId, await sessionOf(gone)));
  await testDatabase().update(session).set({ expiresDate: past }).where(eq(session.userId, gone.user.id));

  await runAllJobs(env);

  expect(await testDatabase().select().from(rateLimit).where(eq(rateLimit.key, "old"))).toEqual([]);
  expect(await testDatabase().select().from(boardItemView)).toEqual([]);
  expect((await testDatabase().select().from(session)).map((row) => row.userId)).toEqual([person.user.id]);
  expect((await callAs(person, "GET", `/api/user/${person.user.id}`)).status).toBe(200);
});

async function sessionOf(person: TestSession): Promise<string> {
  const [row] = await testDatabase().select().from(session).where(eq(session.userId, person.user.id));
  return row?.id ?? "";
}

const NOON = Date.parse("2026-11-21T03:00:00Z");
const at = (minutes: number) => vi.useFakeTimers({ toFake: ["Date"], now: NOON + minutes * 60_000 });
const jobRow = (name: string) =>
  readRow<{
    status: string;
    killed: number;
    error: string;
  }>("SELECT status, killed, error FROM job WHERE name = ?", name);

test("each minute runs the due jobs, each at its own interval", async () => {
  at(0);
  const first = await runDueJobs(env);
  at(1);
  const second = await runDueJobs(env);
  at(2);
  const third = await runDueJobs(env);
  // A drill takes nearly a whole minute; the other jobs run in the next one.
  expect([...new Set([...first, ...second, ...third])].toSorted()).toEqual(Object.keys(JOB_LABELS).toSorted());
  expect(third).toEqual(expect.arrayContaining(["messages", "search", "backup"]));
  expect(await runDueJobs(env)).toEqual([]);
  at(3);
  expect(await runDueJobs(env)).not.toContain("retention");
  at(10);
  expect(await runDueJobs(env)).toContain("retention");
});

test("the most overdue job runs first in the next invocation", async () => {
  const ran: string[] = [];
  for (let minute = 0; minute < Object.keys(JOB_LABELS).length; minute += 1) {
    at(minute);
    // Leaves room for a single job, because the limit is checked before each.
    ran.push(...(await runDueJobs(env, { statements: 4, ms: 60_000 })));
  }
  expect(new Set(ran)).toEqual(new Set(Object.keys(JOB_LABELS)));
});

test("a killed job is restarted only after its lease", async () => {
  at(0);
  await runSql("INSERT INTO job (name, started_date, status) VALUES ('search', ?, 'running')", NOON);
  at(1);
  expect(await runDueJobs(env)).not.toContain("search");
  at(6);
  const ran = await runDueJobs(env);
  at(7);
  expect([...ran, ...(await runDueJobs(env))]).toContain("search");
  expect(await jobRow("search")).toMatchObject({ status: "ok", killed: 0 });
  const admin = await createAdministratorSession();
  await runSql("UPDATE job SET status = 'running', started_date = ? WHERE name = 'search'", NOON);
  const list = await callAs(admin, "GET", "/api/admin/job");
  expect(list.data.jobs.find((job: { name: string }) => job.name === "search").status).toBe("killed");
});

test("a job run by hand during another run does nothing", async () => {
  const admin = await createAdministratorSession();
  const run = () => callJson("POST", "/api/admin/job/search/run", { token: admin.accessToken, body: {} });
  expect((await run()).data).toEqual({ name: "search", ok: true });
  await runSql("UPDATE job SET status = 'running', started_date = ? WHERE name = 'search'", Date.now());
  const refused = await run();
  expect(refused).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("이미 하고 있어") });
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'job.run'")).toBe(1);
});

test("jobs use the stored settings of the address book", { tags: "full" }, async () => {
  const settings = await callJson("GET", "/api/admin/setting/alumni", {
    token: (await createAdministratorSession()).accessToken,
  });
  const stored = { ...settings.data.settings, exportHours: 1 };
  await runSql(
    "INSERT INTO site_setting (key, value, version, modified_date) VALUES ('alumni', ?1, 2, 1) ON CONFLICT (key) DO UPDATE SET value = ?1",
    JSON.stringify(stored),
  );
  await runSql(
    "INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date) VALUES ('x', 'alumni-export', 'u', 'a.xlsx', 1, 'x', 'ready', 'f/x', ?)",
    Date.now() - 2 * 3_600_000,
  );
  await runAllJobs(env);
  expect(await readValue("SELECT count(*) AS n FROM file")).toBe(0);
});

test("2,000 items are reindexed in one run below 500 statements", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "free", { title: "면역결핍 안내" });
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date, deleted_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1900)
     SELECT 'free', i + 1, '복원한 글 ' || i, '<p>면역결핍 환자 ' || i || '</p>', 'u', '홍길동', ?1 - i * 1000, ?1, iif(i % 10 = 0, 1, NULL) FROM n`,
    Date.now(),
  );
  await runSql("UPDATE board_item_search SET is_stale = 1");
  const counted = countStatements(env.DB);
  await reindexStaleItems({ db: connectDatabase(counted.d1) });
  expect(counted.count()).toBeLessThan(500);
  expect(await readValue("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1")).toBe(0);
  const found = await callAs(admin, "POST", "/api/board-item/search", { keyword: "복원한", target: "title" });
  // The maximum that a search counts.
  expect(found.data.totalElements).toBe(500);
});

test("a message of any length stays below the D1 limit", { tags: "full" }, async () => {
  const text = "안내 말씀 ".repeat(1500);
  const messages = Array.from({ length: 500 }, (_, index) => ({
    userId: `u${index}`,
    recipient: `a${index}@b.kr`,
    subject: "안내",
    text,
    onceKey: `k${index}`,
    offToken: null,
  }));
  const ctx = { db: testDatabase(), now: () => new Date(), messages: { isLocal: true } as never };
  const statements = queueBulkMessages(ctx, messages);
  const sizes = statements.flatMap((statement) =>
    statement.toSQL().params.map((value) => new TextEncoder().encode(String(value)).byteLength),
  );
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  await testDatabase().batch(statements as never);
  expect(await readValue("SELECT count(*) AS n FROM message")).toBe(500);
});

test("a restored site has the same search results, without deleted items", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "남는 글" });
  const gone = await createTestItem(admin, "notice", { title: "지운 글" });
  await callAs(admin, "DELETE", `/api/board-item/notice/${gone}`);
  const restored = await restoreToScratch(await makeBackup());
  await reindexStaleItems({ db: connectDatabase(restored) });
  expect(await restored.prepare("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1").first("n")).toBe(0);
});

test("the page of jobs shows the next start of each", { tags: "full" }, async () => {
  at(0);
  const admin = await createAdministratorSession();
  const jobs = async () => {
    const { data } = await callAs(admin, "GET", "/api/admin/job");
    const row = (name: string) => data.jobs.find((job: { name: string }) => job.name === name);
    return { files: row("files"), search: row("search"), backup: row("backup") };
  };
  const now = Date.now();
  await runSql(
    "INSERT INTO job (name, started_date, finished_date, status, ok_date) VALUES ('files', ?1, ?2, 'ok', ?2)",
    now - 60_000,
    now - 57_000,
  );
  await runSql("INSERT INTO job (name, started_date, status) VALUES ('search', ?, 'running')", now);
  const { files, search, backup } = await jobs();
  expect(files).toMatchObject({ everyMinutes: 10, nextDate: new Date(now + 9 * 60_000).toISOString() });
  expect(Date.parse(files.finishedDate) - Date.parse(files.startedDate)).toBe(3000);
  expect(search.nextDate).toBeNull();
  expect(backup.nextDate).toBe(new Date(now).toISOString());
  await runSql(
    'INSERT INTO backup_run (id, name, kind, status, started_date, finished_date, state) VALUES (\'n\', \'n\', \'night\', \'ok\', ?1, ?1, \'{"tables":[],"parts":[],"files":{"count":0,"missing":0},"phase":"done","tableIndex":0}\')',
    now,
  );
  const next = new Date((await jobs()).backup.nextDate);
  expect(next.getTime()).toBeGreaterThan(now);
  expect([next.getUTCHours(), next.getUTCMinutes()]).toEqual([18, 0]);
});

test("a clock that was once ahead delays no job", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  const AHEAD = 40 * 24 * 60;
  for (const minute of [0, 1, 2, 3]) {
    at(AHEAD + minute);
    await runDueJobs(env);
  }
  const row = await readRow<{ status: string }>("SELECT status FROM backup_drill");
  expect(row?.status).toBe("ok");
  await runSql("UPDATE backup_run SET status = 'running', lease_id = 'x', lease_date = started_date + 300000");
  at(60);
  const ran = [...(await runDueJobs(env)), ...(await runDueJobs(env)), ...(await runDueJobs(env))];
  expect(new Set(ran)).toEqual(new Set(Object.keys(JOB_LABELS)));
  expect(await readValue("SELECT count(*) FROM backup_run WHERE lease_id = 'x'")).toBe(0);
  expect(await readValue("SELECT count(*) FROM backup_drill WHERE started_date < ?", NOON + 61 * 60_000)).toBe(1);
});

test("a message written by a wrong clock is sent once", { tags: "full" }, async () => {
  const DAYS = 3 * 24 * 60;
  const write = (id: string, isBulk: number, writtenAt: number, waitMinutes: number) =>
    runSql(
      "INSERT INTO message (id, channel, recipient, subject, body, status, attempts, next_attempt_date, created_date, is_bulk) VALUES (?, 'email', ?, '제목', '', 'queued', ?, ?, ?, ?)",
      id,
      `${id}@example.com`,
      waitMinutes === 0 ? 0 : 5,
      NOON + (writtenAt + waitMinutes) * 60_000,
      NOON + writtenAt * 60_000,
      isBulk,
    );
  for (const isBulk of [0, 1]) {
    await write(`ahead-${isBulk}`, isBulk, DAYS, 0);
    await write(`ahead-again-${isBulk}`, isBulk, DAYS, 720);
    await write(`behind-${isBulk}`, isBulk, -DAYS, 720);
    await write(`waits-${isBulk}`, isBulk, -1, 720);
  }
  at(0);
  await runAllJobs(env);
  expect(
    await readValue("SELECT group_concat(id) FROM (SELECT id FROM message WHERE status = 'queued' ORDER BY id)"),
  ).toBe("waits-0,waits-1");
});

test("a limit opened by a wrong clock ends at clean-up", { tags: "full" }, async () => {
  for (const [key, days] of [
    ["over", -1],
    ["runs", 1],
    ["ahead", 3],
  ] as const)
    await runSql(
      "INSERT INTO rate_limit (key, count, held, reset_date) VALUES (?, 9, 0, ?)",
      key,
      NOON + days * DAY_MS,
    );
  at(0);
  await runAllJobs(env);
  const keys = "SELECT group_concat(key) FROM rate_limit WHERE key IN ('over', 'runs', 'ahead')";
  expect(await readValue(keys)).toBe("runs");
});
