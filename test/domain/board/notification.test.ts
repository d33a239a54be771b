import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { user } from "#db/schema/account.ts";
import { boardItem } from "#db/schema/board.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { deliverBulkMessages } from "#worker/domain/mail/bulk-delivery.server.ts";
import { sendNotifications } from "#worker/domain/board/notification.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createTestItem, sentMessages, manyMembers } from "../../support/factories.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createTestRole,
  retireUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readRows, runSql, testDatabase } from "../../support/test-database.ts";
import { faultyDatabase } from "../../support/faulty-database.ts";
import { runJobsWith } from "../../hosts/mail-host.ts";
import { explainStatements, findFullScans } from "../../support/query-plans.ts";
import { expectLog } from "../../support/expected-log.ts";

const follow = (session: TestSession, boardCode = "notice") => callAs(session, "PUT", `/api/board/${boardCode}/follow`);
const comment = async (session: TestSession, itemNo: number, content: string, parentCommentId?: string) =>
  (await callAs(session, "PUT", `/api/board-item-comment/free/${itemNo}`, { content, parentCommentId })).data
    .commentId as string;
const countMessages = async () =>
  (await readRow<{ n: number }>("SELECT count(*) AS n FROM message WHERE once_key IS NOT NULL"))?.n;
const setRole = (session: TestSession, roleCode: string) =>
  testDatabase().update(user).set({ roleCode }).where(eq(user.id, session.user.id));

async function createFollowers(count: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await env.DB.batch([
    ...manyMembers(count),
    env.DB.prepare(
      `INSERT INTO notice_choice (kind, target, user_id, is_on, created_date)
       ${numbers} SELECT 'item', 'notice', printf('many-%06d', i), 1, 1 FROM n`,
    ),
  ]);
}

test("a follower gets one message however often the job runs", async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  await follow(reader);
  expect((await follow(reader)).data).toEqual({ following: true });
  await follow(admin);
  const itemNo = await createTestItem(admin, "notice", { title: "심포지엄\u2028안내" });
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  const [message, ...more] = await sentMessages(reader.user.email);
  expect(more).toEqual([]);
  expect(message?.subject).toBe("[공지사항] 심포지엄 안내");
  expect(message?.body).toContain(`https://pid.example.kr/board/notice/View/${itemNo}`);
  expect(message?.body).toContain("https://pid.example.kr/mail/off/");
  expect(await sentMessages(admin.user.email)).toEqual([]);
});

test("a follower gets notices only of items written while following", async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  await createTestItem(admin, "notice");
  advanceClock(1000);
  await follow(reader);
  await runScheduledJobs(env);
  expect(await sentMessages(reader.user.email)).toEqual([]);
  expect((await callAs(reader, "DELETE", "/api/board/notice/follow")).data).toEqual({
    following: false,
  });
  await createTestItem(admin, "notice");
  await runScheduledJobs(env);
  expect(await sentMessages(reader.user.email)).toEqual([]);
});

test("a follower who cannot read or be reached gets no notice", async () => {
  const admin = await createAdministratorSession();
  const [lost, blocked, unverified, waiting] = [
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
  ];
  for (const each of [lost, blocked, unverified, waiting]) await follow(each);
  await setRole(lost, await createTestRole(["Board_notice_List"]));
  await testDatabase().update(user).set({ status: "blocked" }).where(eq(user.id, blocked.user.id));
  await testDatabase().update(user).set({ status: "waiting" }).where(eq(user.id, waiting.user.id));
  await runSql("UPDATE user_key SET verified_date = NULL WHERE user_id = ?", unverified.user.id);
  await createTestItem(admin, "notice");
  await runScheduledJobs(env);
  expect(await countMessages()).toBe(0);
});

test("the notice choices of a retired member are deleted", async () => {
  const reader = await createMemberSession();
  await follow(reader);
  await retireUser(reader);
  expect(await readRows("SELECT * FROM notice_choice")).toEqual([]);
});

test("only readers of a secret item are notified", async () => {
  const author = await createMemberSession();
  const reader = await createMemberSession();
  const manager = await createSessionWith(["Board_free_List", "Board_free_View", "Board_free_Manage"]);
  await follow(reader, "free");
  await follow(manager, "free");
  await createTestItem(author, "free", { isSecret: true, title: "비밀 상담" });
  await runScheduledJobs(env);
  expect(await sentMessages(reader.user.email)).toEqual([]);
  expect((await sentMessages(manager.user.email)).map(({ subject }) => subject)).toEqual(["[회원게시판] 비밀 상담"]);
});

test("a scheduled item is notified when it appears, also after rescheduling", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  await follow(reader);
  const hour = 3_600_000;
  const publishDate = new Date(Date.now() + hour).toISOString();
  const itemNo = await createTestItem(admin, "notice", { publishDate });
  const body = { publishDate: new Date(Date.now() + 3 * hour).toISOString(), version: 1 };
  await callAs(admin, "PATCH", `/api/board-item/notice/${itemNo}`, body);
  advanceClock(2 * hour);
  await runScheduledJobs(env);
  expect(await sentMessages(reader.user.email)).toEqual([]);
  advanceClock(2 * hour);
  await runScheduledJobs(env);
  expect(await sentMessages(reader.user.email)).toHaveLength(1);
});

test("an item deleted before the job ran is not notified", async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  await follow(reader);
  const binned = await createTestItem(admin, "notice");
  await callAs(admin, "DELETE", `/api/board-item/notice/${binned}`);
  const destroyed = await createTestItem(admin, "notice");
  await testDatabase().delete(boardItem).where(eq(boardItem.itemNo, destroyed));
  await runScheduledJobs(env);
  expect(await countMessages()).toBe(0);
  expect(await readRows("SELECT * FROM notice_pending")).toEqual([]);
});

test.each(["before", "after"] as const)("a job that fails %s a batch of messages resumes there", async (when) => {
  expectLog(/job:notices.*Network connection lost/);
  const admin = await createAdministratorSession();
  await createFollowers(1100);
  await createTestItem(admin, "notice");
  const { DB, broke } = faultyDatabase({ sql: /insert into "message"/i, when, times: 1 });
  await runJobsWith({ DB });
  expect(broke()).toBe(1);
  expect(await countMessages()).toBe(when === "before" ? 0 : 500);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS n FROM message WHERE once_key IS NOT NULL GROUP BY recipient",
  ).all();
  expect(results).toHaveLength(1100);
  expect(results.every(({ n }) => n === 1)).toBe(true);
});

test("two concurrent jobs send each follower one message", async () => {
  const admin = await createAdministratorSession();
  await createFollowers(600);
  await createTestItem(admin, "notice");
  await Promise.all([runScheduledJobs(env), runScheduledJobs(env)]);
  expect(await countMessages()).toBe(600);
});

test("many followers cost few statements", async () => {
  const admin = await createAdministratorSession();
  await createFollowers(1100);
  await createTestItem(admin, "notice");
  const itemNo = await createTestItem(admin, "free");
  await comment(await createMemberSession(), itemNo, "댓글");
  const request = new Request("http://localhost/");
  const plans = await explainStatements(async (DB) => {
    const options = { request, env: { ...env, DB }, requestId: "", credential: null, defer: () => {} };
    const ctx = await openRequestScope(options).context();
    await sendNotifications(ctx);
    await deliverBulkMessages(ctx);
  });
  expect(await countMessages()).toBe(1101);
  expect(findFullScans(plans)).toEqual([]);
  expect(plans.length).toBeLessThan(400);
});

test("a comment notifies each person once", async () => {
  const author = await createMemberSession();
  const [one, two] = [await createMemberSession(), await createMemberSession()];
  const itemNo = await createTestItem(author, "free", { title: "질문" });
  await comment(author, itemNo, "제가 덧붙입니다");
  await runScheduledJobs(env);
  expect(await countMessages()).toBe(0);
  const first = await comment(one, itemNo, "답변입니다 <b>");
  const second = await comment(two, itemNo, "저도 궁금합니다", first);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  const subjects = async (session: TestSession) =>
    (await sentMessages(session.user.email)).map(({ subject }) => subject);
  const subject = "[회원게시판] '질문'에 새 댓글이 달렸습니다";
  expect(await subjects(author)).toEqual([subject, subject]);
  expect(await subjects(one)).toEqual([subject]);
  expect(await subjects(two)).toEqual([]);
  expect((await sentMessages(one.user.email))[0]?.body).toMatch(
    new RegExp(`저도 궁금합니다[^]*/board/free/View/${itemNo}#comment-${second}\\b`),
  );
});

test("a notice postponed by a clock three days ahead is sent", async () => {
  const [author, other] = [await createMemberSession(), await createMemberSession()];
  const itemNo = await createTestItem(author, "free");
  const postpone = (id: string, ms: number) =>
    runSql("UPDATE notice_pending SET due_date = ? WHERE source_id = ?", Date.now() + ms, id);
  await postpone(await comment(other, itemNo, "사흘 뒤의 댓글"), 3 * 86_400_000);
  await postpone(await comment(other, itemNo, "한 시간 안의 댓글"), 1_800_000);
  await runScheduledJobs(env);
  const bodies = (await sentMessages(author.user.email)).map(({ body }) => body);
  expect(bodies).toEqual([expect.stringContaining("사흘 뒤의 댓글")]);
});

test("an unreadable or unwanted comment is not notified", async () => {
  const [gone, lost, quiet] = [await createMemberSession(), await createMemberSession(), await createMemberSession()];
  const writer = await createMemberSession();
  const itemOf = (session: TestSession) => createTestItem(session, "free");
  const [first, second, third] = [await itemOf(gone), await itemOf(lost), await itemOf(quiet)];
  const id = await comment(writer, first, "지울 댓글");
  await callAs(writer, "DELETE", `/api/board-item-comment/free/${first}/${id}`);
  await comment(writer, second, "댓글");
  await setRole(lost, await createTestRole(["Board_notice_View"]));
  const off = await callAs(quiet, "PATCH", `/api/user/${quiet.user.id}/notices`, { comments: false });
  expect(off.data.comments).toBe(false);
  await comment(writer, third, "댓글");
  await runScheduledJobs(env);
  expect(await countMessages()).toBe(0);
});

test("following needs the right to read an existing board", async () => {
  expect((await callJson("PUT", "/api/board/notice/follow")).status).toBe(401);
  expect((await callJson("DELETE", "/api/board/notice/follow")).status).toBe(401);
  const listOnly = await createSessionWith(["Board_notice_List"]);
  expect((await follow(listOnly)).status).toBe(403);
  expect((await follow(listOnly, "free")).status).toBe(403);
  expect((await follow(listOnly, "nowhere")).status).toBe(404);
  const reader = await createMemberSession();
  expect((await callJson("PUT", "/api/board/notice/follow", { cookie: reader.accessToken })).status).toBe(401);
  expect(await readRows("SELECT * FROM notice_choice")).toEqual([]);
});

test("notice settings are private to their member", async () => {
  const reader = await createMemberSession();
  await follow(reader);
  const path = `/api/user/${reader.user.id}/notices`;
  const own = await callAs(reader, "GET", path);
  expect(own.data.comments).toBe(true);
  expect(own.data.boards.find((row: { boardCode: string }) => row.boardCode === "notice")).toEqual({
    boardCode: "notice",
    boardName: "공지사항",
    following: true,
  });
  const body = { comments: false };
  expect((await callJson("GET", path)).status).toBe(401);
  expect((await callJson("PATCH", path, { body })).status).toBe(401);
  const other = await createAdministratorSession();
  expect((await callAs(other, "GET", path)).status).toBe(404);
  expect((await callAs(other, "PATCH", path, body)).status).toBe(404);
});
