import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { boardItem, user } from "#db/schema.ts";
import { openDoor } from "#worker/context.server.ts";
import { deliverBulk } from "#worker/domain/mail/bulk-delivery.server.ts";
import { sendNotices } from "#worker/domain/mail/notice.server.ts";
import { runJobs } from "#worker/jobs.ts";
import { call } from "../client.ts";
import {
  administrator,
  createItem,
  createRole,
  db,
  later,
  letters,
  member,
  type Session,
  signedIn,
} from "../factories.ts";
import { faultyDatabase } from "../faulty.ts";
import { runJobsWith } from "../mail.ts";
import { plansOfAll, readWhole } from "../plans.ts";
import { expectLog } from "../log.ts";

afterEach(() => {
  vi.useRealTimers();
});

const follow = (session: Session, boardCode = "notice") =>
  call("PUT", `/api/board/${boardCode}/follow`, { token: session.accessToken });
const comment = async (session: Session, itemNo: number, content: string, parentCommentId?: string) =>
  (
    await call("PUT", `/api/board-item-comment/free/${itemNo}`, {
      token: session.accessToken,
      body: { content, parentCommentId },
    })
  ).data.commentId as string;
const letterCount = async () => (await env.DB.prepare("SELECT count(*) AS n FROM message").first<{ n: number }>())?.n;
const setRole = (session: Session, roleCode: string) =>
  db().update(user).set({ roleCode }).where(eq(user.id, session.user.id));

/** Many who follow the notices, written at once. */
async function createFollowers(count: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
       ${numbers} SELECT printf('many-%06d', i), '홍길동', 'Member', 'member', 'active', '', '{}', 1, 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date)
       ${numbers} SELECT 'Email', 'many' || i || '@pid.example.kr', printf('many-%06d', i), 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO notice_choice (kind, target, user_id, is_on, created_date)
       ${numbers} SELECT 'item', 'notice', printf('many-%06d', i), 1, 1 FROM n`,
    ),
  ]);
}

test("a follower gets one letter with the item's address, however often the job runs; the author gets none", async () => {
  const admin = await administrator();
  const reader = await member();
  await follow(reader);
  expect((await follow(reader)).data).toEqual({ following: true });
  await follow(admin);
  const itemNo = await createItem(admin, "notice", { title: "심포지엄\u2028안내" });
  await runJobs(env);
  await runJobs(env);
  const [letter, ...more] = await letters(reader.user.email);
  expect(more).toEqual([]);
  expect(letter?.subject).toBe("[공지사항] 심포지엄 안내");
  expect(letter?.body).toContain(`https://pid.example.kr/board/notice/View/${itemNo}`);
  expect(letter?.body).toContain("https://pid.example.kr/mail/off/");
  expect(await letters(admin.user.email)).toEqual([]);
});

test("what appeared before a person followed is not told; nor is anything after he stopped", async () => {
  const admin = await administrator();
  const reader = await member();
  await createItem(admin, "notice");
  later(1000);
  await follow(reader);
  await runJobs(env);
  expect(await letters(reader.user.email)).toEqual([]);
  expect((await call("DELETE", "/api/board/notice/follow", { token: reader.accessToken })).data).toEqual({
    following: false,
  });
  await createItem(admin, "notice");
  await runJobs(env);
  expect(await letters(reader.user.email)).toEqual([]);
});

test("who lost the right, is blocked or has no verified address is not written to", async () => {
  const admin = await administrator();
  const [lost, blocked, unverified, waiting] = [await member(), await member(), await member(), await member()];
  for (const each of [lost, blocked, unverified, waiting]) await follow(each);
  await setRole(lost, await createRole(["Board_notice_List"]));
  await db().update(user).set({ status: "blocked" }).where(eq(user.id, blocked.user.id));
  await db().update(user).set({ status: "waiting" }).where(eq(user.id, waiting.user.id));
  await env.DB.prepare("UPDATE user_key SET verified_date = NULL WHERE user_id = ?").bind(unverified.user.id).run();
  await createItem(admin, "notice");
  await runJobs(env);
  expect(await letterCount()).toBe(0);
});

test("a retired person's choices are gone with him", async () => {
  const reader = await member();
  await follow(reader);
  const body = { password: "Secret!234" };
  expect((await call("POST", "/api/user/retire", { token: reader.accessToken, body })).code).toBe("SUCCESS");
  expect((await env.DB.prepare("SELECT * FROM notice_choice").all()).results).toEqual([]);
});

test("a secret item is told to those alone who may read it", async () => {
  const author = await member();
  const reader = await member();
  const manager = await signedIn({
    roleCode: await createRole(["Board_free_List", "Board_free_View", "Board_free_Manage"]),
  });
  await follow(reader, "free");
  await follow(manager, "free");
  await createItem(author, "free", { isSecret: true, title: "비밀 상담" });
  await runJobs(env);
  expect(await letters(reader.user.email)).toEqual([]);
  expect((await letters(manager.user.email)).map(({ subject }) => subject)).toEqual(["[회원게시판] 비밀 상담"]);
});

test("a scheduled item is told when it appears, at the date it was moved to", async () => {
  const admin = await administrator();
  const reader = await member();
  await follow(reader);
  const hour = 3_600_000;
  const publishDate = new Date(Date.now() + hour).toISOString();
  const itemNo = await createItem(admin, "notice", { publishDate });
  const body = { publishDate: new Date(Date.now() + 3 * hour).toISOString(), version: 1 };
  await call("PATCH", `/api/board-item/notice/${itemNo}`, { token: admin.accessToken, body });
  later(2 * hour);
  await runJobs(env);
  expect(await letters(reader.user.email)).toEqual([]);
  later(2 * hour);
  await runJobs(env);
  expect(await letters(reader.user.email)).toHaveLength(1);
});

test("what went into the bin or was destroyed before the job ran is not told", async () => {
  const admin = await administrator();
  const reader = await member();
  await follow(reader);
  const binned = await createItem(admin, "notice");
  await call("DELETE", `/api/board-item/notice/${binned}`, { token: admin.accessToken });
  const destroyed = await createItem(admin, "notice");
  await db().delete(boardItem).where(eq(boardItem.itemNo, destroyed));
  await runJobs(env);
  expect(await letterCount()).toBe(0);
  expect((await env.DB.prepare("SELECT * FROM notice_pending").all()).results).toEqual([]);
});

test.each(["before", "after"] as const)(
  "a job that breaks %s a batch of letters took effect goes on where it stood: everybody gets one",
  async (when) => {
    expectLog(/job:notices.*Network connection lost/);
    const admin = await administrator();
    await createFollowers(1100);
    await createItem(admin, "notice");
    const { DB, broke } = faultyDatabase({ sql: /insert into "message"/i, when, times: 1 });
    await runJobsWith({ DB });
    expect(broke()).toBe(1);
    expect(await letterCount()).toBe(when === "before" ? 0 : 500);
    await runJobs(env);
    await runJobs(env);
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM message GROUP BY recipient").all();
    expect(results).toHaveLength(1100);
    expect(results.every(({ n }) => n === 1)).toBe(true);
  },
);

test("two jobs at once write everybody one letter", async () => {
  const admin = await administrator();
  await createFollowers(600);
  await createItem(admin, "notice");
  await Promise.all([runJobs(env), runJobs(env)]);
  expect(await letterCount()).toBe(600);
});

test("many followers cost few statements, and none of them reads a table whole", async () => {
  const admin = await administrator();
  await createFollowers(1100);
  await createItem(admin, "notice");
  const itemNo = await createItem(admin, "free");
  await comment(await member(), itemNo, "댓글");
  const request = new Request("http://localhost/");
  const plans = await plansOfAll(async (DB) => {
    const options = { request, env: { ...env, DB }, requestId: "", credential: null, defer: () => {} };
    const ctx = await openDoor(options).context();
    await sendNotices(ctx);
    await deliverBulk(ctx);
  });
  expect(await letterCount()).toBe(1101);
  expect(readWhole(plans)).toEqual([]);
  // Row by row it would be thousands.
  expect(plans.length).toBeLessThan(400);
});

test("a comment is told to the author of the item once, a reply also to whom it answers, and nobody of himself", async () => {
  const author = await member();
  const [one, two] = [await member(), await member()];
  const itemNo = await createItem(author, "free", { title: "질문" });
  await comment(author, itemNo, "제가 덧붙입니다");
  await runJobs(env);
  expect(await letterCount()).toBe(0);
  const first = await comment(one, itemNo, "답변입니다 <b>");
  await comment(two, itemNo, "저도 궁금합니다", first);
  await runJobs(env);
  await runJobs(env);
  const subjects = async (session: Session) => (await letters(session.user.email)).map(({ subject }) => subject);
  const subject = "[회원게시판] '질문'에 새 댓글이 달렸습니다";
  expect(await subjects(author)).toEqual([subject, subject]);
  expect(await subjects(one)).toEqual([subject]);
  expect(await subjects(two)).toEqual([]);
  expect((await letters(one.user.email))[0]?.body).toContain("저도 궁금합니다");
});

test("a comment that is gone, that nobody may read any more or that was turned off is not told", async () => {
  const [gone, lost, quiet] = [await member(), await member(), await member()];
  const writer = await member();
  const itemOf = (session: Session) => createItem(session, "free");
  const [first, second, third] = [await itemOf(gone), await itemOf(lost), await itemOf(quiet)];
  const id = await comment(writer, first, "지울 댓글");
  await call("DELETE", `/api/board-item-comment/free/${first}/${id}`, { token: writer.accessToken });
  await comment(writer, second, "댓글");
  await setRole(lost, await createRole(["Board_notice_View"]));
  const off = await call("PATCH", `/api/user/${quiet.user.id}/notices`, {
    token: quiet.accessToken,
    body: { comments: false },
  });
  expect(off.data.comments).toBe(false);
  await comment(writer, third, "댓글");
  await runJobs(env);
  expect(await letterCount()).toBe(0);
});

test("following needs a sign-in and the right to read; a board that is not there is not", async () => {
  expect((await call("PUT", "/api/board/notice/follow")).status).toBe(401);
  expect((await call("DELETE", "/api/board/notice/follow")).status).toBe(401);
  const listOnly = await signedIn({ roleCode: await createRole(["Board_notice_List"]) });
  expect((await follow(listOnly)).status).toBe(403);
  expect((await follow(listOnly, "free")).status).toBe(403);
  expect((await follow(listOnly, "nowhere")).status).toBe(404);
  const reader = await member();
  expect((await call("PUT", "/api/board/notice/follow", { cookie: reader.accessToken })).status).toBe(401);
  expect((await env.DB.prepare("SELECT * FROM notice_choice").all()).results).toEqual([]);
});

test("what a person is told is his own business", async () => {
  const reader = await member();
  await follow(reader);
  const path = `/api/user/${reader.user.id}/notices`;
  const own = await call("GET", path, { token: reader.accessToken });
  expect(own.data.comments).toBe(true);
  expect(own.data.boards.find((row: { boardCode: string }) => row.boardCode === "notice")).toEqual({
    boardCode: "notice",
    boardName: "공지사항",
    following: true,
  });
  const body = { comments: false };
  expect((await call("GET", path)).status).toBe(401);
  expect((await call("PATCH", path, { body })).status).toBe(401);
  const other = await administrator();
  expect((await call("GET", path, { token: other.accessToken })).status).toBe(404);
  expect((await call("PATCH", path, { token: other.accessToken, body })).status).toBe(404);
});
