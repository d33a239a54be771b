import { requirePresent } from "../../support/require-present.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createTestItem, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { readValue } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const writeItem = (session: TestSession, boardCode = "free", content = "<p>글</p>") =>
  callAs(session, "PUT", `/api/board-item/${boardCode}`, { title: "글", content, fileIds: [] });
const writeComment = (session: TestSession, itemNo: number, content: string) =>
  callAs(session, "PUT", `/api/board-item-comment/free/${itemNo}`, { content });
const inParallel = (count: number, write: () => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: count }, write)).then((answers) => answers.map(({ status }) => status));

test("a member can write 20 items an hour", async () => {
  const person = await createMemberSession();
  expect((await writeItem(person, "free", "<p></p>")).status).toBe(400);
  const statuses = await inParallel(RATE_LIMITS.itemHour.max + 5, () => writeItem(person));
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.itemHour.max);
  const refused = await writeItem(person);
  expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect((await writeItem(await createMemberSession())).status).toBe(200);
  advanceClock(61 * 60_000);
  expect((await writeItem(await createMemberSession())).status).toBe(200);
});

test("board managers are exempt from the item limit", async () => {
  const admin = await createAdministratorSession();
  const statuses = await inParallel(RATE_LIMITS.itemHour.max + 2, () => writeItem(admin, "notice"));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a member writes 60 comments an hour", { tags: "full" }, async () => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(await createAdministratorSession(), "free");
  const statuses = await inParallel(RATE_LIMITS.commentHour.max + 3, () => writeComment(person, itemNo, "댓글"));
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.commentHour.max);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
});

const commentMessages = async (to: TestSession) =>
  (await sentMessages(to.user.email)).filter(({ subject }) => subject.includes("새 댓글")).map(({ body }) => body);

test("comments on an item are bundled after three messages in an hour", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const writers = [await createMemberSession(), await createMemberSession()];
  const itemNo = await createTestItem(author, "free");
  const comment = (at: number) => writeComment(requirePresent(writers[at % 2]), itemNo, `댓글 ${at}번`);
  for (let at = 1; at <= 2; at += 1) await comment(at);
  await runScheduledJobs(env);
  expect(await commentMessages(author)).toHaveLength(2);
  for (let at = 3; at <= 20; at += 1) await comment(at);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect(await commentMessages(author)).toHaveLength(3);
  advanceClock(59 * 60_000);
  await runScheduledJobs(env);
  expect(await commentMessages(author)).toHaveLength(3);
  advanceClock(2 * 60_000);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  const [joined, ...before] = await commentMessages(author);
  expect(before).toHaveLength(3);
  expect(joined).toContain("댓글 4번");
  expect(joined).toContain("그 밖에 댓글 7개가 더 있습니다.");
  expect(await readValue("SELECT count(*) AS n FROM notice_pending")).toBe(0);
});

test("bundling is counted for each item", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const first = await createTestItem(author, "free");
  const second = await createTestItem(author, "free");
  for (let at = 1; at <= 5; at += 1) await writeComment(other, first, `하나 ${at}`);
  await writeComment(other, second, "둘");
  await runScheduledJobs(env);
  expect(await commentMessages(author)).toHaveLength(4);
  const { data } = await writeComment(other, first, "물음");
  const third = await createMemberSession();
  await callAs(third, "PUT", `/api/board-item-comment/free/${first}`, {
    content: "대답",
    parentCommentId: data.commentId,
  });
  await runScheduledJobs(env);
  expect(await commentMessages(other)).toHaveLength(1);
  advanceClock(62 * 60_000);
  await runScheduledJobs(env);
  expect(await commentMessages(other)).toHaveLength(1);
  expect(await commentMessages(author)).toHaveLength(5);
});

test("a search excerpt is the text around the word", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const filler = `<p style="text-align:center">${"채움 글 ".repeat(20)}</p>`.repeat(400);
  const content = `${filler}<p>여기 희귀단어 있음</p>${filler}`;
  for (let at = 0; at < 12; at += 1) expect((await writeItem(admin, "notice", content)).status, `${at}`).toBe(200);
  const { data } = await callJson("POST", "/api/board-item/search?size=100", { body: { keyword: "희귀단어" } });
  expect(data.content).toHaveLength(12);
  for (const hit of data.content) expect(hit.highlight.content).toContain("여기 <mark>희귀단어</mark> 있음");
  for (const hit of data.content) expect(hit.excerpt).not.toMatch(/text-align|[<>]/);
});
