import { expect, test } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { countRows } from "../../support/test-database.ts";

test("a guest can read an item by an administrator", async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "notice", { title: "심포지엄 안내", showItemToMain: true });

  const list = await callJson("GET", "/api/board-item?boardCode=notice&showItemToMain=true");
  expect(list.data).toMatchObject({ page: 1, totalElements: 1, totalPages: 1, pinned: [] });
  expect(list.data.content[0]).toMatchObject({
    itemNo,
    title: "심포지엄 안내",
    isNew: true,
    createdUserName: "관리자",
  });

  const view = await callJson("GET", `/api/board-item/notice/${itemNo}`);
  expect(view.data).toMatchObject({
    content: "<p>내용입니다.</p>",
    files: [],
    mine: false,
    version: 1,
    previous: null,
    next: null,
  });
});

test("an item number is never reused on its board", async () => {
  const admin = await createAdministratorSession();
  expect(await createTestItem(admin, "notice")).toBe(1);
  expect(await createTestItem(admin, "notice")).toBe(2);
  await callAs(admin, "DELETE", "/api/board-item/notice/2");
  expect(await createTestItem(admin, "notice")).toBe(3);
  expect(await createTestItem(admin, "reference")).toBe(1);
});

test("pinned rows are returned apart from the content", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { isPinned: true, title: "공지" });
  await createTestItem(admin, "notice");
  const { data } = await callJson("GET", "/api/board-item?boardCode=notice");
  expect(data.totalElements).toBe(1);
  expect(data.content).toHaveLength(1);
  expect(data.pinned.map((row: { title: string }) => row.title)).toEqual(["공지"]);
});

test("a view counts once per viewer a day, never for bots", async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "notice");
  const path = `/api/board-item/notice/${itemNo}`;
  const count = async () =>
    (await callJson("GET", path, { headers: { "User-Agent": "Googlebot/2.1" } })).data.viewCount;
  await callJson("GET", path, { address: "203.0.113.1" });
  await callJson("GET", path, { address: "203.0.113.1" });
  expect(await count()).toBe(1);
  await callJson("GET", path, { address: "203.0.113.2" });
  expect(await count()).toBe(2);
});

test("one address with many invented browsers adds only a few views", { tags: "full" }, async () => {
  const itemNo = await createTestItem(await createAdministratorSession(), "notice");
  const path = `/api/board-item/notice/${itemNo}`;
  for (let n = 0; n < 60; n += 1)
    await callJson("GET", path, { address: "203.0.113.1", headers: { "User-Agent": `Mozilla/5.0 (made up ${n})` } });
  const { viewCount } = (await callJson("GET", path, { headers: { "User-Agent": "Googlebot/2.1" } })).data;
  expect(viewCount).toBeGreaterThan(1);
  expect(viewCount).toBeLessThanOrEqual(16);
});

const VISITORS = 400;

test(`${VISITORS} visitors of an item leave at most 128 rows`, { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "notice");
  const path = `/api/board-item/notice/${itemNo}`;
  for (let turn = 0; turn < 2; turn += 1)
    for (let n = 0; n < VISITORS; n += 1) await fetchApi("GET", path, { address: `203.0.${n >> 8}.${n & 255}` });
  expect(await countRows("board_item_view")).toBeLessThanOrEqual(128);
  const { viewCount } = (await callJson("GET", path, { headers: { "User-Agent": "Googlebot/2.1" } })).data;
  expect(viewCount).toBeGreaterThan(VISITORS * 0.925);
  expect(viewCount).toBeLessThanOrEqual(VISITORS);
});

test("an author without Manage cannot pin, date or feature items", async () => {
  const author = await createMemberSession();
  const token = author.accessToken;
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  const itemNo = await createTestItem(author, "free", {
    createdUserId: "x",
    createdUserName: "관리자",
    createdDate: "2020-01-01T00:00:00Z",
    viewCount: 99,
    itemNo: 77,
  });
  const path = `/api/board-item/free/${itemNo}`;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  for (const field of [{ isPinned: true }, { showItemToMain: true }, { publishDate: later }, { pinnedUntil: later }]) {
    expect(
      (await callJson("PUT", "/api/board-item/free", { token, body: { ...body, ...field } })).status,
      JSON.stringify(field),
    ).toBe(403);
    expect(
      (await callJson("PATCH", path, { token, body: { ...field, version: 1 } })).status,
      JSON.stringify(field),
    ).toBe(403);
  }
  const view = (await callJson("GET", path, { token })).data;
  expect(view).toMatchObject({
    itemNo: 1,
    createdUserName: "홍길동",
    viewCount: 0,
    isPinned: false,
    showItemToMain: false,
    isNew: true,
    version: 1,
  });
});

test("nobody writes without Write", async () => {
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/notice", { body })).status).toBe(401);
  const person = await createMemberSession();
  expect((await callAs(person, "PUT", "/api/board-item/notice", body)).status).toBe(403);
  expect((await callJson("GET", "/api/board-item?boardCode=notice")).data.totalElements).toBe(0);
});

test("a member cannot change an item of another member", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const path = `/api/board-item/free/${itemNo}`;
  expect((await callAs(other, "PATCH", path, { title: "바꿈", version: 1 })).status).toBe(404);
  expect((await callAs(other, "DELETE", path)).status).toBe(404);
  expect((await callAs(author, "GET", path)).data).toMatchObject({
    title: "제목",
    mine: true,
  });
});

test("the second of two edits of a version is refused", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const path = `/api/board-item/free/${itemNo}`;
  const edit = (title: string) => callAs(author, "PATCH", path, { title, version: 1 });
  expect((await edit("첫 번째")).data).toEqual({ itemNo, version: 2 });
  expect((await edit("두 번째")).code).toBe("CONFLICT");
  expect((await callAs(author, "GET", path)).data.title).toBe("첫 번째");
});

test("an unknown board is not found for anyone", async () => {
  for (const path of ["/api/board/none", "/api/board-item?boardCode=none", "/api/board-item/none/1"]) {
    expect((await callJson("GET", path)).status, path).toBe(404);
  }
});

test("likely resident registration numbers are stored neither in items nor in comments", async () => {
  const person = await createMemberSession();
  const token = person.accessToken;
  const number = "900101-1234567";
  const post = { title: "제목", content: `<p>번호는 9001<b>01</b> 입니다. ${number}</p>`, fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { token, body: post })).fields.content).toMatch(/주민등록번호/);
  const titled = { ...post, title: number, content: "<p>내용</p>" };
  expect((await callJson("PUT", "/api/board-item/free", { token, body: titled })).fields.title).toMatch(/주민등록번호/);
  const itemNo = await createTestItem(person, "free");
  const comment = await callJson("PUT", `/api/board-item-comment/free/${itemNo}`, {
    token,
    body: { content: `제 번호 ${number}` },
  });
  expect(comment.fields.content).toMatch(/주민등록번호/);
});
