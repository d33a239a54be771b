import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { countRows, runSql } from "../../support/test-database.ts";

const BODY = { title: "제목", content: "<p>본문</p>", fileIds: [] };

test("writing to a closed or unknown board is refused as missing", async () => {
  const { accessToken: token } = await createMemberSession();
  const itemNo = await createTestItem(await createMemberSession(), "free");
  await runSql("UPDATE board SET is_closed = 1 WHERE board_code = 'free'");
  for (const boardCode of ["free", "nowhere"]) {
    for (const [method, path] of [
      ["GET", `/api/board/${boardCode}`],
      ["GET", `/api/board-item?boardCode=${boardCode}`],
      ["GET", `/api/board-item/${boardCode}/${itemNo}`],
      ["PUT", `/api/board-item/${boardCode}`],
      ["PATCH", `/api/board-item/${boardCode}/${itemNo}`],
      ["DELETE", `/api/board-item/${boardCode}/${itemNo}`],
      ["PUT", `/api/board-item-draft/${boardCode}`],
      [
        "GET",
        `/api/board-item-file/upload-url?boardCode=${boardCode}&fileName=a.pdf&size=10&contentType=application/pdf`,
      ],
    ] as const) {
      const body = ["PUT", "PATCH"].includes(method) ? { body: { ...BODY, version: 1 } } : {};
      const answer = await callJson(method, path, { token, ...body });
      expect([path, answer.status, answer.message]).toEqual([path, 404, "게시판을 찾을 수 없습니다."]);
    }
  }
  expect([await countRows("board_item"), await countRows("item_draft"), await countRows("file")]).toEqual([1, 0, 0]);
});

test("an out-of-range number matches no item", async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const itemNo of ["0", "-1", "1.5", "999999999", "9999999999", "1e3", "٣", "%EF%BC%91"]) {
    expect((await callJson("GET", `/api/board-item/notice/${itemNo}`, { token })).status, itemNo).toBe(404);
    const body = { title: "바꿈", version: 1 };
    expect((await callJson("PATCH", `/api/board-item/notice/${itemNo}`, { token, body })).status, itemNo).toBe(404);
    expect((await callJson("DELETE", `/api/board-item/notice/${itemNo}`, { token })).status, itemNo).toBe(404);
  }
});

test("a title longer than 200 syllables is refused by field", async () => {
  const author = await createMemberSession();
  const token = author.accessToken;
  const itemNo = await createTestItem(author, "free", { title: "가".repeat(200) });
  expect((await callJson("GET", `/api/board-item/free/${itemNo}`, { token })).data.title).toHaveLength(200);
  for (const title of ["가".repeat(300), "가".normalize("NFD").repeat(201), "", "   "]) {
    const refused = await callJson("PUT", "/api/board-item/free", { token, body: { ...BODY, title } });
    expect([refused.status, Object.keys(refused.fields)], `${title.length}`).toEqual([400, ["title"]]);
    const edited = await callJson("PATCH", `/api/board-item/free/${itemNo}`, { token, body: { title, version: 1 } });
    expect([edited.status, Object.keys(edited.fields)], `${title.length}`).toEqual([400, ["title"]]);
  }
  expect([await countRows("board_item"), await countRows("board_item_revision")]).toEqual([1, 0]);
});

test("a text of 2 MB is refused with advice", async () => {
  const author = await createMemberSession();
  const token = author.accessToken;
  const itemNo = await createTestItem(author, "free");
  const huge = `<p>${"가나다라".repeat(170_000)}</p>`;
  const long = `<p>${"가나다라".repeat(50_000)}</p>`;
  const pictures = `<p>글</p><img src="data:image/png;base64,${"A".repeat(2_000_000)}">`;
  for (const content of [huge, long, pictures]) {
    const body = { ...BODY, content };
    const refused = await callJson("PUT", "/api/board-item/free", { token, body });
    expect([refused.status, refused.code], `${content.length}`).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(refused.message, `${content.length}`).toMatch(/[가-힣]/);
    const edited = await callJson("PATCH", `/api/board-item/free/${itemNo}`, { token, body: { ...body, version: 1 } });
    expect(edited.status, `${content.length}`).toBe(413);
    expect((await callJson("PUT", "/api/board-item-draft/free", { token, body })).status, `${content.length}`).toBe(
      413,
    );
  }
  const view = await callJson("GET", `/api/board-item/free/${itemNo}`, { token });
  expect(view.data).toMatchObject({ content: "<p>내용입니다.</p>", version: 1 });
  expect([
    await countRows("board_item"),
    await countRows("item_draft"),
    await countRows("board_item_revision"),
  ]).toEqual([1, 0, 0]);
});

test("a deleted item cannot be changed, nor its comments, drafts or history", async () => {
  const author = await createMemberSession();
  const token = author.accessToken;
  const itemNo = await createTestItem(author, "free");
  await callJson("DELETE", `/api/board-item/free/${itemNo}`, {
    token: (await createAdministratorSession()).accessToken,
  });
  const path = `/api/board-item/free/${itemNo}`;
  expect((await callJson("PATCH", path, { token, body: { title: "바꿈", version: 1 } })).status).toBe(404);
  expect((await callJson("PUT", `/api/board-item-draft/free?itemNo=${itemNo}`, { token, body: BODY })).status).toBe(
    404,
  );
  expect(
    (await callJson("PUT", `/api/board-item-comment/free/${itemNo}`, { token, body: { content: "댓글" } })).status,
  ).toBe(404);
  expect((await callJson("GET", `${path}/revision`, { token })).status).toBe(404);
  expect((await callJson("DELETE", path, { token })).status).toBe(404);
});

test("a title of invisible characters is refused as empty", async () => {
  const { accessToken: token } = await createMemberSession();
  for (const title of ["\u3164", "\u0085", "\u200b\u202e", "\uffa0 \u3164", "\u0000", "\ufeff"]) {
    const refused = await callJson("PUT", "/api/board-item/free", { token, body: { ...BODY, title } });
    expect([refused.status, Object.keys(refused.fields)], `${title.length}`).toEqual([400, ["title"]]);
  }
  const kept = await callJson("PUT", "/api/board-item/free", { token, body: { ...BODY, title: "\ud800제\u009f목" } });
  const view = await callJson("GET", `/api/board-item/free/${kept.data.itemNo}`, { token });
  expect(view.data.title).toBe("\ufffd제목");
});

test("an invalid date or flag is refused by field", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const wrong = {
    publishDate: "내일",
    pinnedUntil: "2026-13-01",
    isPinned: "maybe",
    fileIds: "x",
    category: "없는 분류",
  };
  for (const [name, value] of Object.entries(wrong)) {
    const refused = await callJson("PUT", "/api/board-item/notice", { token, body: { ...BODY, [name]: value } });
    expect([name, refused.status, Object.keys(refused.fields)[0]]).toEqual([name, 400, name]);
  }
  expect(await countRows("board_item")).toBe(0);
});
