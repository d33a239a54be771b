import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createTestItem } from "../../support/factories.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { findFullScans, explainStatements } from "../../support/query-plans.ts";
import { readRows } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const BASE = "/api/admin/privacy/retention";

const remove = ({ accessToken: token }: TestSession, itemNo: number) =>
  callJson("DELETE", `/api/board-item/free/${itemNo}`, { token });
const listDeleted = async ({ accessToken: token }: TestSession) =>
  (await callJson("GET", "/api/board-item/bin/free", { token })).data;
const due = async ({ accessToken: token }: TestSession, rule: string) =>
  (await callJson("GET", `${BASE}/${rule}`, { token })).data;
const names = (list: { rows: { name: string }[] }) => list.rows.map(({ name }) => name);
const values = async (query: string) => (await env.DB.prepare(query).raw()).flat();
const register = async () =>
  await readRows("SELECT rule, kind, basis, count, subject_ref FROM destruction ORDER BY id");

async function setRule({ accessToken: token }: TestSession, rule: string, on: boolean, days: number) {
  const { rules, requestDays, version } = (await callJson("GET", BASE, { token })).data;
  const now = Object.fromEntries(
    rules.map((row: { rule: string; on: boolean; days: number }) => [row.rule, { on: row.on, days: row.days }]),
  );
  const body = { requestDays, rules: { ...now, [rule]: { on, days } }, version };
  return callJson("PATCH", BASE, { token, body });
}

test("the job empties the bins after 30 days", async () => {
  const admin = await createAdministratorSession();
  const { itemNo } = await createItemWithFile(admin, "free");
  await createTestItem(admin, "free");
  await remove(admin, itemNo);
  advanceClock(29 * DAY_MS);
  await runScheduledJobs(env);
  expect((await listDeleted(await createAdministratorSession())).totalElements).toBe(1);
  advanceClock(DAY_MS + 60_000);
  await runScheduledJobs(env);
  expect((await listDeleted(await createAdministratorSession())).totalElements).toBe(0);
  expect(await values("SELECT count(*) FROM board_item")).toEqual([1]);
  expect(await register()).toEqual([
    { rule: "board-bin", kind: "게시글", basis: "삭제한 날 뒤 30일", count: 1, subject_ref: "" },
  ]);
  advanceClock(DAY_MS + 60_000);
  await runScheduledJobs(env);
  expect((await env.FILES.list({ prefix: "f/" })).objects).toEqual([]);
});

test("the bin period is a setting", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "free");
  await remove(admin, itemNo);
  const [before] = (await listDeleted(admin)).content;
  expect(Date.parse(before.purgeDate) - Date.parse(before.deletedDate)).toBe(30 * DAY_MS);
  for (const days of [6, 366])
    expect((await setRule(admin, "board-bin", true, days)).fields["rules.board-bin.days"], `${days}`).toBe(
      "7일에서 365일 사이로 입력해 주십시오.",
    );
  expect((await setRule(admin, "board-bin", true, 60)).code).toBe("SUCCESS");
  const [longer] = (await listDeleted(admin)).content;
  expect(Date.parse(longer.purgeDate) - Date.parse(longer.deletedDate)).toBe(60 * DAY_MS);
  expect((await setRule(admin, "board-bin", false, 60)).code).toBe("SUCCESS");
  expect((await listDeleted(admin)).content[0].purgeDate).toBeNull();
  advanceClock(400 * DAY_MS);
  await runScheduledJobs(env);
  expect((await listDeleted(await createAdministratorSession())).totalElements).toBe(1);
});

test("only managers of all boards see the items of a dry run", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free", { title: "지운 글" });
  await remove(author, itemNo);
  advanceClock(31 * DAY_MS);
  const clerk = await createSessionWith(["ADMIN_Access", "Board_notice_Manage"]);
  const manager = await createSessionWith([
    "ADMIN_Access",
    ...["free", "notice", "reference"].map((boardCode) => `Board_${boardCode}_Manage`),
  ]);
  const shown = await due(manager, "board-bin");
  expect(names(shown)).toEqual([`회원게시판 ${itemNo}번 글 · 지운 글`]);
  expect((await callAs(clerk, "GET", `${BASE}/board-bin`)).code).toBe("FORBIDDEN");
  expect(await values("SELECT count(*) FROM board_item")).toEqual([1]);

  await callAs(manager, "POST", `/api/board-item/free/${itemNo}/restore`);
  const body = { fingerprint: shown.fingerprint, reason: "정리" };
  const run = () => callAs(manager, "POST", `${BASE}/board-bin/run`, body);
  expect((await run()).code, "an item was restored after the list was shown").toBe("CONFLICT");
  expect(await values("SELECT count(*) FROM board_item")).toEqual([1]);
});

test("a deleted comment loses its text after 30 days", async () => {
  const author = await createMemberSession();
  const { accessToken: token } = author;
  const itemNo = await createTestItem(author, "free");
  const path = `/api/board-item-comment/free/${itemNo}`;
  const write = async (content: string, parentCommentId?: string) =>
    (await callJson("PUT", path, { token, body: { content, parentCommentId } })).data.commentId as string;
  const answered = await write("답이 달린 말");
  await write("답글", answered);
  const alone = await write("혼자 한 말");
  await write("남은 말");
  for (const id of [answered, alone]) await callJson("DELETE", `${path}/${id}`, { token });
  advanceClock(31 * DAY_MS);
  const admin = await createAdministratorSession();
  expect(names(await due(admin, "comments"))).toEqual(Array(2).fill(`회원게시판 ${itemNo}번 글의 댓글`));
  await runScheduledJobs(env);
  expect(await values("SELECT content FROM board_item_comment ORDER BY created_date, rowid")).toEqual([
    "",
    "답글",
    "남은 말",
  ]);
  const { data } = await callAs(admin, "GET", `/api/board-item-comment?boardCode=free&itemNo=${itemNo}`);
  expect(data.map((row: { content: string }) => row.content)).toEqual(["삭제된 댓글입니다.", "답글", "남은 말"]);
  expect(await register()).toMatchObject([{ rule: "comments", kind: "댓글", count: 2 }]);
  await runScheduledJobs(env);
  expect(await register()).toHaveLength(1);
});

test("the regular bin cleanup uses an index", { tags: "full" }, async () => {
  await runScheduledJobs(env);
  const whole = findFullScans(await explainStatements((DB) => runScheduledJobs({ ...env, DB })));
  expect(whole.filter((table) => table.startsWith("board_item"))).toEqual([]);
});
