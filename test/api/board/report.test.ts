import { expect, test } from "vitest";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { advanceClock, createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  retireUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";

const report = (session: TestSession | null, itemNo: number, body: object = { reason: "abuse" }, boardCode = "free") =>
  callAs(session, "PUT", `/api/board-item-report/${boardCode}/${itemNo}`, body);
const list = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/admin/report${query}`)).data;
const decide = (session: TestSession, itemNo: number, body: object) =>
  callAs(session, "POST", `/api/admin/report/free/${itemNo}`, body);
const rows = async () => await readRows("SELECT * FROM item_report");
const audited = async (action: string) =>
  await readRows("SELECT target_id, detail FROM audit_log WHERE action = ?", action);

test("a member can report an item once with a reason", async () => {
  const author = await createSession({ userName: "김글쓴" });
  const reporter = await createSession({ userName: "박신고" });
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(author, "free", { title: "광고 글", content: "<p>사 <b>주십시오</b></p>" });
  expect((await report(reporter, itemNo, { reason: "advertisement", text: "약을 팝니다" })).data).toEqual({});
  const again = await report(reporter, itemNo);
  expect([again.status, again.code]).toEqual([409, "ALREADY_EXISTS"]);

  const page = await list(admin);
  expect(page).toMatchObject({ totalElements: 1, page: 1 });
  expect(page.content[0]).toMatchObject({
    boardName: "회원게시판",
    itemNo,
    commentId: null,
    title: "광고 글",
    content: "사 주십시오",
    createdUserName: "김글쓴",
    status: "open",
    isGone: false,
    reports: [{ reason: "advertisement", text: "약을 팝니다" }],
  });
  for (const secret of ["박신고", reporter.user.id]) expect(JSON.stringify(page)).not.toContain(secret);
  const view = await callAs(author, "GET", `/api/board-item/free/${itemNo}`);
  expect(JSON.stringify(view.data)).not.toContain("report");
});

test("a report is refused to guests, authors or non-readers", async () => {
  await runSql("UPDATE board SET use_secret = 1");
  const author = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const secret = await createTestItem(author, "free", { isSecret: true });
  const { commentId } = (await callAs(author, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "댓글" }))
    .data;
  expect((await report(null, itemNo)).status).toBe(401);
  expect((await report(author, itemNo)).status).toBe(403);
  expect((await report(author, itemNo, { reason: "abuse", commentId })).status).toBe(403);
  expect((await report(other, secret)).status).toBe(403);
  expect((await report(other, 999)).status).toBe(404);
  expect((await report(other, secret, { reason: "abuse", commentId })).status).toBe(403);
  expect((await report(other, itemNo, { reason: "abuse", commentId: crypto.randomUUID() })).status).toBe(404);
  expect((await report(other, itemNo, { reason: "fun" })).fields.reason).toBe("신고 사유를 골라 주십시오.");
  expect((await report(other, itemNo, { reason: "other" })).fields.text).toBe("그 밖의 사유는 내용을 적어 주십시오.");
  expect((await report(other, itemNo, { reason: "abuse", text: "가".repeat(501) })).status).toBe(400);
  await callAs(author, "DELETE", `/api/board-item/free/${itemNo}`);
  expect((await report(other, itemNo)).status).toBe(404);
  expect(await rows()).toEqual([]);
});

test("a member can send ten reports an hour", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const reporter = await createMemberSession();
  for (let n = 0; n < 10; n += 1)
    expect((await report(reporter, await createTestItem(author, "free"))).status, `${n}`).toBe(200);
  const itemNo = await createTestItem(author, "free");
  expect((await report(reporter, itemNo)).code).toBe("TOO_MANY_REQUESTS");
  advanceClock(3_601_000);
  expect((await report(reporter, itemNo)).code).not.toBe("TOO_MANY_REQUESTS");
});

test("a decision on a report is final", async () => {
  const author = await createMemberSession();
  const admin = await createAdministratorSession();
  const bad = await createTestItem(author, "free", { title: "나쁜 글" });
  const good = await createTestItem(author, "free", { title: "좋은 글" });
  for (const reporter of [await createMemberSession(), await createMemberSession()]) {
    await report(reporter, bad);
    await report(reporter, good, { reason: "copyright" });
  }
  expect((await list(admin)).totalElements).toBe(2);
  expect((await decide(admin, bad, { decision: "hide" })).status).toBe(200);
  expect((await decide(admin, good, { decision: "dismiss" })).status).toBe(200);
  expect((await decide(admin, good, { decision: "hide" })).status).toBe(404);
  expect((await callAs(author, "GET", `/api/board-item/free/${bad}`)).status).toBe(404);
  expect((await callAs(author, "GET", `/api/board-item/free/${good}`)).status).toBe(200);
  expect((await list(admin)).content).toEqual([]);
  const decided = (await list(admin, "?status=decided")).content;
  expect(decided.map((thing: { title: string; status: string }) => [thing.title, thing.status]).toSorted()).toEqual([
    ["나쁜 글", "hidden"],
    ["좋은 글", "dismissed"],
  ]);
  expect(decided[0].reports).toHaveLength(2);
  expect(await audited("report.hide")).toMatchObject([{ target_id: `free/${bad}` }]);
  expect(await audited("report.dismiss")).toMatchObject([{ target_id: `free/${good}` }]);

  await callAs(admin, "DELETE", "/api/board-item/bin/free");
  expect(await rows()).toHaveLength(2);
});

test("a reported comment is deleted without its item", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(author, "free", { title: "글" });
  const write = async (session: TestSession, content: string, parentCommentId?: string) =>
    (await callAs(session, "PUT", `/api/board-item-comment/free/${itemNo}`, { content, parentCommentId })).data
      .commentId as string;
  const commentId = await write(other, "욕설 댓글");
  await write(author, "답글", commentId);
  await report(author, itemNo, { reason: "abuse", commentId });
  expect((await list(admin)).content[0]).toMatchObject({ title: "글", content: "욕설 댓글", commentId });
  await decide(admin, itemNo, { decision: "hide", commentId });
  const comments = await callAs(author, "GET", `/api/board-item-comment?boardCode=free&itemNo=${itemNo}`);
  expect(comments.data.map((row: { content: string }) => row.content)).toEqual(["삭제된 댓글입니다.", "답글"]);
  const view = await callAs(author, "GET", `/api/board-item/free/${itemNo}`);
  expect(view.data.commentCount).toBe(1);
});

test("an administrator decides only reports of boards they manage", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  await report(await createMemberSession(), itemNo);
  const clerk = await createSessionWith(["ADMIN_Access", "Board_notice_Manage"]);
  const manager = await createSessionWith(["ADMIN_Access", "Board_free_Manage"]);
  expect(await list(clerk)).toMatchObject({ content: [], totalElements: 0 });
  expect((await decide(clerk, itemNo, { decision: "hide" })).status).toBe(403);
  expect(await list(manager)).toMatchObject({ totalElements: 1 });
  expect((await decide(manager, itemNo, { decision: "dismiss" })).status).toBe(200);
});

test("a board manager decides reports without console access", async () => {
  const author = await createMemberSession();
  const here = await createTestItem(author, "free", { title: "여기 글" });
  await report(await createMemberSession(), here);
  const manager = await createSessionWith(["Board_free_Manage"]);
  const elsewhere = await createSessionWith(["Board_notice_Manage", "Board_free_View"]);
  const page = (session: TestSession | null, board = "free") =>
    callAs(session, "GET", `/api/board-item-report/${board}`);
  const act = (session: TestSession | null, decision: string, itemNo = here) =>
    callAs(session, "POST", `/api/board-item-report/free/${itemNo}`, { decision });
  for (const [session, status] of [
    [null, 401],
    [author, 403],
    [elsewhere, 403],
  ] as const) {
    expect((await page(session)).status, `${status}`).toBe(status);
    expect((await act(session, "hide")).status, `${status}`).toBe(status);
  }
  expect((await page(elsewhere, "notice")).data).toMatchObject({ content: [], totalElements: 0 });
  expect((await callAs(manager, "GET", "/api/admin/report")).status).toBe(403);
  expect((await page(manager, "nowhere")).status).toBe(404);

  const { data } = await page(manager);
  expect(data).toMatchObject({ totalElements: 1, content: [{ itemNo: here, title: "여기 글", status: "open" }] });
  const waiting = async (session: TestSession | null) =>
    (await getBoardListPage(scopeFor(session), listItemsQuery.parse({ boardCode: "free" }))).openReports;
  expect([await waiting(manager), await waiting(author)]).toEqual([1, null]);
  expect((await act(manager, "hide", 99)).status).toBe(404);
  expect((await act(manager, "hide")).status).toBe(200);
  expect((await act(manager, "dismiss")).status, "decided already").toBe(404);
  expect((await page(manager)).data.content).toEqual([]);
  const entry = await readRow("SELECT actor_user_id FROM audit_log WHERE action = 'report.hide'");
  expect(entry).toEqual({ actor_user_id: manager.user.id });
});

test("the simulator shows the rights of board managers", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const { accessToken: token } = await createAdministratorSession();
  const ask = async (who: string, path: string, method = "GET") =>
    (await callJson("GET", `/api/admin/role/simulate?who=${who}&path=${path}&method=${method}`, { token })).data
      .allowed;
  for (const path of [
    "/board/free/Bin",
    "/board/free/Reports",
    "/api/board-item/bin/free",
    "/api/board-item-report/free",
  ])
    expect([path, await ask("guest", path), await ask(author.user.userId, path)]).toEqual([path, false, false]);
  expect(await ask(author.user.userId, `/board/free/History/${itemNo}`)).toBe(true);
  expect(await ask(author.user.userId, `/api/board-item-report/free/${itemNo}`, "PUT")).toBe(true);
  expect(await ask(author.user.userId, `/api/board-item-report/free/${itemNo}`, "POST")).toBe(false);
});

test("a retired member takes their reports with them", async () => {
  const author = await createMemberSession();
  const reporter = await createMemberSession();
  await report(reporter, await createTestItem(author, "free"));
  await retireUser(reporter);
  expect(await rows()).toEqual([]);
});
