import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { sweepFiles } from "#worker/domain/file/sweep.server.ts";
import { call } from "../client.ts";
import { administrator, createItem, createRole, db, member, type Session, signedIn } from "../factories.ts";
import { createItemWithFile, getFile, objectCount } from "../files.ts";

const bulk = (session: Session | null, boardCode: string, body: Record<string, unknown>) =>
  call("POST", `/api/board-item/${boardCode}/bulk`, { token: session?.accessToken, body });
const bin = async (session: Session, boardCode = "free") =>
  (await call("GET", `/api/board-item/bin/${boardCode}`, { token: session.accessToken })).data;
const list = async (session: Session, boardCode = "free") =>
  (await call("GET", `/api/board-item?boardCode=${boardCode}`, { token: session.accessToken })).data;
const found = async (session: Session, keyword: string) =>
  (await call("POST", "/api/board-item/search", { token: session.accessToken, body: { keyword } })).data.totalElements;
const view = (session: Session, itemNo: number, boardCode = "free") =>
  call("GET", `/api/board-item/${boardCode}/${itemNo}`, { token: session.accessToken });
const rowCount = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");
const days = (count: number) => ({ db: db(), now: () => new Date(Date.now() + count * 86_400_000) });

test("what is deleted lies in the bin, is nobody's but a manager's there, and comes back whole", async () => {
  const author = await member();
  const admin = await administrator();
  const { itemNo, fileId } = await createItemWithFile(author, "free", { title: "지운 글" });
  await call("PUT", `/api/board-item-comment/free/${itemNo}`, { token: author.accessToken, body: { content: "댓글" } });
  await call("DELETE", `/api/board-item/free/${itemNo}`, { token: author.accessToken });
  expect((await view(author, itemNo)).status).toBe(404);
  expect((await getFile(fileId, author)).status).toBe(404);
  expect(await bin(admin)).toMatchObject({ totalElements: 1, content: [{ itemNo, title: "지운 글" }] });
  const restored = await call("POST", `/api/board-item/free/${itemNo}/restore`, { token: admin.accessToken });
  expect(restored.data).toEqual({ itemNo });
  expect((await view(author, itemNo)).data).toMatchObject({ title: "지운 글", commentCount: 1, fileCount: 1 });
  expect((await getFile(fileId, author)).status).toBe(200);
  expect(await found(author, "지운")).toBe(1);
  expect((await bin(admin)).totalElements).toBe(0);
  const again = await call("POST", `/api/board-item/free/${itemNo}/restore`, { token: admin.accessToken });
  expect(again.status).toBe(404);
});

test("many are deleted, restored and destroyed at once; what is not there is not counted", async () => {
  const admin = await administrator();
  const itemNos = [await createItem(admin, "free"), await createItem(admin, "free"), await createItem(admin, "free")];
  expect((await bulk(admin, "free", { action: "delete", itemNos: [...itemNos, 99] })).data).toEqual({ changed: 3 });
  expect((await list(admin)).totalElements).toBe(0);
  expect((await bulk(admin, "free", { action: "restore", itemNos: itemNos.slice(0, 1) })).data).toEqual({ changed: 1 });
  expect((await bulk(admin, "free", { action: "destroy", itemNos })).data).toEqual({ changed: 2 });
  expect((await list(admin)).totalElements).toBe(1);
  expect((await bin(admin)).totalElements).toBe(0);
});

test("emptying the bin takes items, comments and revisions; files a day later", async () => {
  const admin = await administrator();
  const { itemNo, fileId } = await createItemWithFile(admin);
  await call("PUT", `/api/board-item-comment/free/${itemNo}`, { token: admin.accessToken, body: { content: "댓글" } });
  const path = `/api/board-item/free/${itemNo}`;
  await call("PATCH", path, { token: admin.accessToken, body: { title: "새 제목", version: 1 } });
  await call("DELETE", path, { token: admin.accessToken });
  const emptied = await call("DELETE", "/api/board-item/bin/free", { token: admin.accessToken });
  expect(emptied.data).toEqual({ removed: 1 });
  for (const table of [
    "board_item",
    "board_item_comment",
    "board_item_revision",
    "board_item_search",
    "board_search",
  ]) {
    expect(await rowCount(table), table).toBe(0);
  }
  expect((await getFile(fileId, admin)).status).toBe(404);
  expect(await objectCount()).toBe(1);
  await sweepFiles({ ...days(2), files: env.FILES });
  expect(await objectCount()).toBe(0);
});

test("what a manager takes out of the bin for good stands in the register of what was destroyed, without names", async () => {
  const admin = await administrator();
  const itemNos = [await createItem(admin, "free"), await createItem(admin, "free"), await createItem(admin, "free")];
  await bulk(admin, "free", { action: "delete", itemNos });
  await bulk(admin, "free", { action: "destroy", itemNos: itemNos.slice(0, 2) });
  await call("DELETE", "/api/board-item/bin/free", { token: admin.accessToken });
  await call("DELETE", "/api/board-item/bin/free", { token: admin.accessToken });
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

test("moved items get the other board's next numbers in their old order, with files, comments and search", async () => {
  const admin = await administrator();
  await createItem(admin, "notice", { title: "먼저 있던 글" });
  const first = await createItem(admin, "free", { title: "옮길 하나", category: "질문" });
  const { itemNo: second, fileId } = await createItemWithFile(admin, "free", { title: "옮길 둘" });
  const body = { action: "move", itemNos: [second, first], toBoardCode: "notice" };
  expect((await bulk(admin, "free", body)).data).toEqual({ changed: 2 });
  expect((await list(admin)).totalElements).toBe(0);
  expect((await view(admin, 2, "notice")).data).toMatchObject({ title: "옮길 하나", category: "" });
  expect((await view(admin, 3, "notice")).data).toMatchObject({ title: "옮길 둘", fileCount: 1 });
  expect((await view(admin, first)).status).toBe(404);
  expect((await getFile(fileId, null)).status).toBe(200);
  expect((await call("POST", "/api/board-item/search", { body: { keyword: "옮길" } })).data.totalElements).toBe(2);
  expect(await createItem(admin, "notice")).toBe(4);
  expect(await createItem(admin, "free")).toBe(3);
});

test("a guest, a member and a manager of another board manage nothing", async () => {
  const admin = await administrator();
  const itemNo = await createItem(admin, "free");
  const manager = await signedIn({ roleCode: await createRole(["Board_free_Manage", "Board_notice_List"]) });
  const person = await member();
  await call("DELETE", `/api/board-item/free/${itemNo}`, { token: admin.accessToken });
  for (const [session, status] of [
    [null, 401],
    [person, 403],
  ] as const) {
    const token = session?.accessToken;
    expect((await bulk(session, "free", { action: "restore", itemNos: [itemNo] })).status).toBe(status);
    expect((await call("POST", `/api/board-item/free/${itemNo}/restore`, { token })).status).toBe(status);
    expect((await call("GET", "/api/board-item/bin/free", { token })).status).toBe(status);
    expect((await call("DELETE", "/api/board-item/bin/free", { token })).status).toBe(status);
  }
  expect((await bin(manager)).totalElements).toBe(1);
  const move = { action: "move", itemNos: [itemNo], toBoardCode: "notice" };
  expect((await bulk(manager, "free", move)).status).toBe(403);
  expect((await bulk(admin, "free", { ...move, toBoardCode: "free" })).code).toBe("INVALID_INPUT");
  expect((await bulk(admin, "free", { ...move, toBoardCode: "nowhere" })).status).toBe(404);
  for (const body of [{}, { action: "burn", itemNos: [1] }, { action: "delete", itemNos: [] }, { action: "delete" }]) {
    expect((await bulk(admin, "free", body)).code, JSON.stringify(body)).toBe("INVALID_INPUT");
  }
});

test("every edit keeps what it replaced; author and manager read it and bring it back, others find nothing", async () => {
  const author = await member();
  const admin = await administrator();
  const other = await member();
  const itemNo = await createItem(author, "free", { title: "첫 판", content: "<p>하나</p>" });
  const path = `/api/board-item/free/${itemNo}`;
  const revisions = async (session: Session) => await call("GET", `${path}/revision`, { token: session.accessToken });
  expect((await revisions(author)).data).toEqual([]);
  await call("PATCH", path, { token: author.accessToken, body: { title: "둘째 판", version: 1 } });
  await call("PATCH", path, { token: author.accessToken, body: { title: "진 판", version: 1 } });
  await call("PATCH", path, { token: admin.accessToken, body: { content: "<p>셋</p>", version: 2 } });
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
  expect((await call("GET", `${path}/revision/1`, { token: author.accessToken })).data.content).toBe("<p>하나</p>");
  expect((await revisions(other)).status).toBe(404);
  const restore = (session: Session, version: number) =>
    call("POST", `${path}/revision/1/restore`, { token: session.accessToken, body: { version } });
  expect((await restore(other, 3)).status).toBe(404);
  expect((await restore(author, 2)).code).toBe("CONFLICT");
  expect((await restore(author, 3)).data).toEqual({ itemNo, version: 4 });
  expect((await view(author, itemNo)).data).toMatchObject({ title: "첫 판", content: "<p>하나</p>", version: 4 });
  expect((await revisions(author)).data).toHaveLength(4);
});
