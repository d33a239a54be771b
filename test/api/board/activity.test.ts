import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { ACTIVITY_DAYS } from "#worker/contract/mail/mail.ts";
import type { ActivityPage } from "#worker/domain/board/activity-list.server.ts";
import { callAs } from "../../support/api-client.ts";
import { advanceClock, createTestItem, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, retireUser, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { countRows, readRow, runSql } from "../../support/test-database.ts";

const DAY = 86_400_000;
const list = async (session: TestSession, query = ""): Promise<ActivityPage["content"]> =>
  (await callAs(session, "GET", `/api/user/${session.user.id}/activity${query}`)).data.content;
const kinds = async (session: TestSession) => (await list(session)).map(({ kind }) => kind);
const read = (session: TestSession, body: object, userId = session.user.id) =>
  callAs(session, "POST", `/api/user/${userId}/activity/read`, body);
const badge = async (session: TestSession | null) => (await getSiteFrame(scopeFor(session))).user?.bell.badge;
const comment = async (session: TestSession, itemNo: number, content: string, parentCommentId?: string) =>
  (await callAs(session, "PUT", `/api/board-item-comment/free/${itemNo}`, { content, parentCommentId })).data
    .commentId as string;

test("an in-site notification reaches the same people as the mail", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  const writer = await createMemberSession();
  await callAs(reader, "PUT", "/api/board/notice/follow");
  await callAs(admin, "PUT", "/api/board/notice/follow");
  const notice = await createTestItem(admin, "notice", { title: "심포지엄 안내" });
  const itemNo = await createTestItem(writer, "free", { title: "질문 하나" });
  const first = await comment(reader, itemNo, "저도 궁금합니다.");
  await comment(writer, itemNo, "답을 찾았습니다.", first);
  await runScheduledJobs(env);
  await runScheduledJobs(env);

  expect(await list(reader)).toMatchObject([
    {
      kind: "answer",
      isRead: false,
      item: { boardCode: "free", itemNo, title: "질문 하나" },
      comment: { excerpt: "답을 찾았습니다." },
    },
    { kind: "item", item: { boardCode: "notice", itemNo: notice, title: "심포지엄 안내" }, comment: null },
  ]);
  expect(await list(writer)).toMatchObject([
    { kind: "comment", comment: { commentId: first, excerpt: "저도 궁금합니다." } },
  ]);
  expect(await list(admin)).toEqual([]);
});

test("a person who gets no comment mail is notified in the site", async () => {
  const writer = await createMemberSession();
  const silent = await createMemberSession();
  const reader = await createMemberSession();
  await runSql("UPDATE user_key SET verified_date = NULL WHERE user_id = ?", writer.user.id);
  await callAs(silent, "PATCH", `/api/user/${silent.user.id}/notices`, { comments: false });
  for (const author of [writer, silent]) await comment(reader, await createTestItem(author, "free"), "댓글입니다.");
  await runScheduledJobs(env);
  expect(await kinds(writer)).toEqual(["comment"]);
  expect(await kinds(silent)).toEqual(["comment"]);
  expect(await countRows("message")).toBe(0);
});

test("each kind of in-site notification can be turned off separately from mail", async () => {
  const [writer, reader] = [await createMemberSession(), await createMemberSession()];
  const path = `/api/user/${writer.user.id}/notices`;
  const itemNo = await createTestItem(writer, "free");
  await comment(reader, itemNo, "먼저 쓴 댓글");
  await runScheduledJobs(env);
  const off = await callAs(writer, "PATCH", path, { bell: { comment: false, report: false } });
  const kindsOn = (answer: typeof off) =>
    answer.data.bell.flatMap(({ kind, isOn }: { kind: string; isOn: boolean }) => (isOn ? [kind] : []));
  expect(kindsOn(off)).toEqual(["answer", "item", "inquiry", "role"]);
  await comment(reader, itemNo, "나중에 쓴 댓글");
  await callAs(writer, "PUT", `/api/board-item-report/free/${await createTestItem(reader, "free")}`, {
    reason: "advertisement",
  });
  const admin = await createAdministratorSession();
  await callAs(admin, "POST", "/api/admin/report/free/2", { decision: "dismiss" });
  await runScheduledJobs(env);
  expect(await kinds(writer)).toEqual(["comment"]);
  expect((await sentMessages(writer.user.email)).length, "mail is turned off separately").toBe(2);
  expect(kindsOn(await callAs(writer, "PATCH", path, { bell: { comment: true } }))).toContain("comment");
  await comment(reader, itemNo, "다시 쓴 댓글");
  await runScheduledJobs(env);
  expect(await kinds(writer)).toEqual(["comment", "comment"]);
  expect((await callAs(writer, "PATCH", path, { bell: { none: false } })).status).toBe(400);
  expect((await callAs(reader, "PATCH", path, { bell: { role: false } })).status).toBe(404);
});

test("the personal data export contains only own notifications, follows or opt-outs", { tags: "full" }, async () => {
  const [writer, reader] = [await createMemberSession(), await createMemberSession()];
  await callAs(writer, "PUT", "/api/board/notice/follow", {});
  await callAs(writer, "PATCH", `/api/user/${writer.user.id}/notices`, { bell: { role: false } });
  await comment(reader, await createTestItem(writer, "free"), "남의 댓글입니다");
  await runScheduledJobs(env);
  const { data } = await callAs(writer, "GET", `/api/user/${writer.user.id}/export`);
  expect(data.activities).toMatchObject([{ kind: "comment", boardCode: "free", itemNo: 1, readDate: null }]);
  expect(data.choices).toMatchObject([
    { kind: "bell", target: "role", isOn: false },
    { kind: "item", target: "notice", isOn: true },
  ]);
  expect(data.sessions.length).toBe(1);
  expect(JSON.stringify(data)).not.toContain("남의 댓글입니다");
});

test("a notification about something no longer readable shows none of its text", async () => {
  const admin = await createAdministratorSession();
  const writer = await createMemberSession();
  const reader = await createMemberSession();
  await callAs(writer, "PUT", "/api/board/free/follow");
  const others = await createTestItem(reader, "free", { title: "밀봉표식" });
  const own = await createTestItem(writer, "free", { title: "내 글" });
  const id = await comment(reader, own, "밀봉표식 댓글");
  await runScheduledJobs(env);
  expect(JSON.stringify(await list(writer))).toContain("밀봉표식 댓글");

  await callAs(admin, "DELETE", `/api/board-item-comment/free/${own}/${id}`);
  await runSql("UPDATE board_item SET is_secret = 1 WHERE item_no = ?", others);
  const told = await list(writer);
  expect(JSON.stringify(told)).not.toContain("밀봉표식");
  expect(told).toMatchObject([
    { kind: "comment", item: { title: "내 글" }, comment: null },
    { kind: "item", item: null },
  ]);
  await runSql("UPDATE role SET permissions = '[]' WHERE role_code = 'member'");
  expect(await list(writer)).toMatchObject([{ item: null }, { item: null }]);
});

test("only their owner can mark notifications as read", async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  const other = await createMemberSession();
  await callAs(reader, "PUT", "/api/board/notice/follow");
  for (let at = 0; at < 4; at += 1) await createTestItem(admin, "notice");
  await runScheduledJobs(env);
  const [newest, second, third] = await list(reader);
  expect([await badge(reader), await badge(other), await badge(null)]).toEqual(["4", "", undefined]);

  expect((await read(reader, { ids: [third?.id] })).data).toEqual({ unread: 3 });
  expect((await read(other, { ids: [newest?.id] })).data).toEqual({ unread: 0 });
  expect((await read(other, { upTo: newest?.id }, reader.user.id)).code).toBe("NOT_FOUND");
  expect((await callAs(other, "GET", `/api/user/${reader.user.id}/activity`)).code).toBe("NOT_FOUND");
  expect((await callAs(null, "GET", `/api/user/${reader.user.id}/activity`)).code).toBe("UNAUTHORIZED");
  expect((await read(reader, { ids: [] })).code).toBe("INVALID_INPUT");
  expect(await badge(reader)).toBe("3");

  expect((await read(reader, { upTo: second?.id })).data).toEqual({ unread: 1 });
  expect((await list(reader)).map(({ isRead }) => isRead)).toEqual([false, true, true, true]);
  expect((await list(reader, "?page=2&size=3")).map(({ id }) => id)).toHaveLength(1);
  await runSql(
    `INSERT INTO activity (user_id, kind, detail, created_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT ?, 'role', '{}', 1 FROM n`,
    reader.user.id,
  );
  expect(await badge(reader)).toBe("99+");
});

test("the reporter is notified of a decided report", async () => {
  const admin = await createAdministratorSession();
  const writer = await createMemberSession();
  const reporter = await createMemberSession();
  const itemNo = await createTestItem(writer, "free");
  await callAs(reporter, "PUT", `/api/board-item-report/free/${itemNo}`, { reason: "abuse" });
  const decided = await callAs(admin, "POST", `/api/board-item-report/free/${itemNo}`, { decision: "hide" });
  expect(decided.code).toBe("SUCCESS");
  expect(await list(reporter)).toMatchObject([{ kind: "report", item: null, detail: { decision: "hide" } }]);
  expect(await list(writer)).toEqual([]);

  const { version } = (await readRow<{ version: number }>("SELECT version FROM role WHERE role_code = 'member'")) ?? {};
  expect(version).toBeGreaterThan(0);
  await callAs(admin, "PUT", "/api/admin/role", { roleCode: "editor", roleName: "편집자", permissions: [] });
  const given = await callAs(admin, "POST", "/api/admin/member/role", { ids: [reporter.user.id], roleCode: "editor" });
  expect(given.code).toBe("SUCCESS");
  expect(await readRow("SELECT kind, detail FROM activity WHERE kind = 'role'")).toEqual({
    kind: "role",
    detail: '{"roleName":"편집자"}',
  });
});

test("a notification expires, or is deleted with its person or item", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  const leaver = await createMemberSession();
  for (const session of [reader, leaver]) await callAs(session, "PUT", "/api/board/notice/follow");
  const itemNo = await createTestItem(admin, "notice");
  await runScheduledJobs(env);
  expect(await countRows("activity")).toBe(2);
  await retireUser(leaver);
  expect(await countRows("activity")).toBe(1);
  await callAs(admin, "DELETE", `/api/board-item/notice/${itemNo}`);
  await callAs(admin, "POST", "/api/board-item/notice/bulk", { action: "destroy", itemNos: [itemNo] });
  expect(await countRows("activity")).toBe(0);

  await createTestItem(admin, "notice");
  await runScheduledJobs(env);
  advanceClock((ACTIVITY_DAYS - 1) * DAY);
  await runScheduledJobs(env);
  expect(await countRows("activity")).toBe(1);
  advanceClock(2 * DAY);
  await runScheduledJobs(env);
  expect(await countRows("activity")).toBe(0);
});
