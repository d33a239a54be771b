import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpFiles } from "#worker/domain/file/clean-up.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { countRows, testDatabase } from "../../support/test-database.ts";
import { createItemWithFile, fetchFile, countObjects } from "../../samples/board-files.ts";

const bulk = (session: TestSession | null, boardCode: string, body: Record<string, unknown>) =>
  callAs(session, "POST", `/api/board-item/${boardCode}/bulk`, body);
const listDeleted = async (session: TestSession, boardCode = "free") =>
  (await callAs(session, "GET", `/api/board-item/bin/${boardCode}`)).data;
const list = async (session: TestSession, boardCode = "free") =>
  (await callAs(session, "GET", `/api/board-item?boardCode=${boardCode}`)).data;
const found = async (session: TestSession, keyword: string) =>
  (await callAs(session, "POST", "/api/board-item/search", { keyword })).data.totalElements;
const view = (session: TestSession, itemNo: number, boardCode = "free") =>
  callAs(session, "GET", `/api/board-item/${boardCode}/${itemNo}`);
const days = (count: number) => ({ db: testDatabase(), now: () => new Date(Date.now() + count * 86_400_000) });

test("only managers see a deleted item", async () => {
  const author = await createMemberSession();
  const admin = await createAdministratorSession();
  const { itemNo, fileId } = await createItemWithFile(author, "free", { title: "지운 글" });
  await callAs(author, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "댓글" });
  await callAs(author, "DELETE", `/api/board-item/free/${itemNo}`);
  expect((await view(author, itemNo)).status).toBe(404);
  expect((await fetchFile(fileId, author)).status).toBe(404);
  expect(await listDeleted(admin)).toMatchObject({ totalElements: 1, content: [{ itemNo, title: "지운 글" }] });
  const restored = await callAs(admin, "POST", `/api/board-item/free/${itemNo}/restore`);
  expect(restored.data).toEqual({ itemNo });
  expect((await view(author, itemNo)).data).toMatchObject({ title: "지운 글", commentCount: 1, fileCount: 1 });
  expect((await fetchFile(fileId, author)).status).toBe(200);
  expect(await found(author, "지운")).toBe(1);
  expect((await listDeleted(admin)).totalElements).toBe(0);
  const again = await callAs(admin, "POST", `/api/board-item/free/${itemNo}/restore`);
  expect(again.status).toBe(404);
});

const createThreeItems = async (author: TestSession) => [
  await createTestItem(author, "free"),
  await createTestItem(author, "free"),
  await createTestItem(author, "free"),
];

test("many items are deleted, restored or destroyed at once", async () => {
  const admin = await createAdministratorSession();
  const itemNos = await createThreeItems(admin);
  expect((await bulk(admin, "free", { action: "delete", itemNos: [...itemNos, 99] })).data).toEqual({ changed: 3 });
  expect((await list(admin)).totalElements).toBe(0);
  expect((await bulk(admin, "free", { action: "restore", itemNos: itemNos.slice(0, 1) })).data).toEqual({ changed: 1 });
  expect((await bulk(admin, "free", { action: "destroy", itemNos })).data).toEqual({ changed: 2 });
  expect((await list(admin)).totalElements).toBe(1);
  expect((await listDeleted(admin)).totalElements).toBe(0);
});

test("emptying the bin removes items with everything that belongs to them", async () => {
  const admin = await createAdministratorSession();
  const { itemNo, fileId } = await createItemWithFile(admin);
  await callAs(admin, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "댓글" });
  const path = `/api/board-item/free/${itemNo}`;
  await callAs(admin, "PATCH", path, { title: "새 제목", version: 1 });
  await callAs(admin, "DELETE", path);
  const emptied = await callAs(admin, "DELETE", "/api/board-item/bin/free");
  expect(emptied.data).toEqual({ removed: 1 });
  for (const table of [
    "board_item",
    "board_item_comment",
    "board_item_revision",
    "board_item_search",
    "board_search",
  ]) {
    expect(await countRows(table), table).toBe(0);
  }
  expect((await fetchFile(fileId, admin)).status).toBe(404);
  expect(await countObjects()).toBe(1);
  await cleanUpFiles({ ...days(2), files: env.FILES }, 24);
  expect(await countObjects()).toBe(0);
});

test("the register of destruction names no item", async () => {
  const admin = await createAdministratorSession();
  const itemNos = await createThreeItems(admin);
  await bulk(admin, "free", { action: "delete", itemNos });
  await bulk(admin, "free", { action: "destroy", itemNos: itemNos.slice(0, 2) });
  await callAs(admin, "DELETE", "/api/board-item/bin/free");
  await callAs(admin, "DELETE", "/api/board-item/bin/free");
  const register = await env.DB.prepare(
    "SELECT kind, rule, basis, count, subject_ref, actor_user_id FROM destruction",
  ).all();
  const row = {
    kind: "게시글",
    rule: "board-bin",
    basis: "휴지통에서 바로 삭제",
    subject_ref: "",
    actor_user_id: admin.user.id,
  };
  expect(register.results).toEqual([
    { ...row, count: 2 },
    { ...row, count: 1 },
  ]);
});

test("moved items get the next numbers of the target board", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "먼저 있던 글" });
  const first = await createTestItem(admin, "free", { title: "옮길 하나", category: "질문" });
  const { itemNo: second, fileId } = await createItemWithFile(admin, "free", { title: "옮길 둘" });
  const body = { action: "move", itemNos: [second, first], toBoardCode: "notice" };
  expect((await bulk(admin, "free", body)).data).toEqual({ changed: 2 });
  expect((await list(admin)).totalElements).toBe(0);
  expect((await view(admin, 2, "notice")).data).toMatchObject({ title: "옮길 하나", category: "" });
  expect((await view(admin, 3, "notice")).data).toMatchObject({ title: "옮길 둘", fileCount: 1 });
  expect((await view(admin, first)).status).toBe(404);
  expect((await fetchFile(fileId, null)).status).toBe(200);
  expect((await callJson("POST", "/api/board-item/search", { body: { keyword: "옮길" } })).data.totalElements).toBe(2);
  expect(await createTestItem(admin, "notice")).toBe(4);
  expect(await createTestItem(admin, "free")).toBe(3);
});

test("only its own managers can manage a board", async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "free");
  const manager = await createSessionWith(["Board_free_Manage", "Board_notice_List"]);
  const person = await createMemberSession();
  await callAs(admin, "DELETE", `/api/board-item/free/${itemNo}`);
  for (const [session, status] of [
    [null, 401],
    [person, 403],
  ] as const) {
    const token = session?.accessToken;
    expect((await bulk(session, "free", { action: "restore", itemNos: [itemNo] })).status, `${status}`).toBe(status);
    expect((await callJson("POST", `/api/board-item/free/${itemNo}/restore`, { token })).status, `${status}`).toBe(
      status,
    );
    expect((await callJson("GET", "/api/board-item/bin/free", { token })).status, `${status}`).toBe(status);
    expect((await callJson("DELETE", "/api/board-item/bin/free", { token })).status, `${status}`).toBe(status);
  }
  expect((await listDeleted(manager)).totalElements).toBe(1);
  const move = { action: "move", itemNos: [itemNo], toBoardCode: "notice" };
  expect((await bulk(manager, "free", move)).status).toBe(403);
  expect((await bulk(admin, "free", { ...move, toBoardCode: "free" })).code).toBe("INVALID_INPUT");
  expect((await bulk(admin, "free", { ...move, toBoardCode: "nowhere" })).status).toBe(404);
  for (const body of [{}, { action: "burn", itemNos: [1] }, { action: "delete", itemNos: [] }, { action: "delete" }]) {
    expect((await bulk(admin, "free", body)).code, JSON.stringify(body)).toBe("INVALID_INPUT");
  }
});

test("only the author or a manager can read the previous versions", async () => {
  const author = await createMemberSession();
  const admin = await createAdministratorSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free", { title: "첫 판", content: "<p>하나</p>" });
  const path = `/api/board-item/free/${itemNo}`;
  const revisions = async (session: TestSession) => await callAs(session, "GET", `${path}/revision`);
  expect((await revisions(author)).data).toEqual([]);
  await callAs(author, "PATCH", path, { title: "둘째 판", version: 1 });
  await callAs(author, "PATCH", path, { title: "진 판", version: 1 });
  await callAs(admin, "PATCH", path, { content: "<p>셋</p>", version: 2 });
  expect(
    (await revisions(author)).data.map((row: { version: number; title: string; modifiedUserName: string }) => [
      row.version,
      row.title,
      row.modifiedUserName,
    ]),
  ).toEqual([
    [3, "둘째 판", "관리자"],
    [2, "둘째 판", "홍길동"],
    [1, "첫 판", "홍길동"],
  ]);
  expect((await callAs(author, "GET", `${path}/revision/1`)).data.content).toBe("<p>하나</p>");
  expect((await revisions(other)).status).toBe(404);
  const restore = (session: TestSession, version: number) =>
    callAs(session, "POST", `${path}/revision/1/restore`, { version });
  expect((await restore(other, 3)).status).toBe(404);
  expect((await restore(author, 2)).code).toBe("CONFLICT");
  expect((await restore(author, 3)).data).toEqual({ itemNo, version: 4 });
  expect((await view(author, itemNo)).data).toMatchObject({ title: "첫 판", content: "<p>하나</p>", version: 4 });
  expect((await revisions(author)).data).toHaveLength(4);
});
