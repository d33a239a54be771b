import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const commentsUrl = (itemNo: number, boardCode = "free") => `/api/board-item-comment/${boardCode}/${itemNo}`;
const write = (session: TestSession | null, itemNo: number, content: string, parentCommentId?: string) =>
  callAs(session, "PUT", commentsUrl(itemNo), { content, parentCommentId });
const remove = (session: TestSession | null, itemNo: number, commentId: string) =>
  callAs(session, "DELETE", `${commentsUrl(itemNo)}/${commentId}`);
const read = (session: TestSession | null, itemNo: number) =>
  callAs(session, "GET", `/api/board-item-comment?boardCode=free&itemNo=${itemNo}`);
const shown = async (session: TestSession, itemNo: number) =>
  (await read(session, itemNo)).data.map((row: { content: string }) => row.content);
const countOf = async (session: TestSession, itemNo: number) =>
  (await callAs(session, "GET", `/api/board-item/free/${itemNo}`)).data.commentCount;
const rows = async () => await readRows("SELECT * FROM board_item_comment");

test("only a deleted comment with replies becomes a tombstone", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const first = (await write(author, itemNo, "처음 댓글")).data.commentId;
  const reply = (await write(other, itemNo, "답글", first)).data.commentId;
  const lone = (await write(author, itemNo, "홀로 선 댓글")).data.commentId;
  expect(await shown(author, itemNo)).toEqual(["처음 댓글", "답글", "홀로 선 댓글"]);

  await remove(author, itemNo, first);
  await remove(author, itemNo, lone);
  const left = (await read(author, itemNo)).data;
  expect(left.map((row: { content: string }) => row.content)).toEqual(["삭제된 댓글입니다.", "답글"]);
  expect(left[0]).toMatchObject({ isDeleted: true, createdUserName: "", mine: false, commentId: first });
  expect(JSON.stringify(left)).not.toContain("처음 댓글");
  expect(await countOf(author, itemNo)).toBe(1);

  await remove(other, itemNo, reply);
  expect(await shown(author, itemNo)).toEqual([]);
  expect(await countOf(author, itemNo)).toBe(0);
});

test("replies are one level deep", async () => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free");
  const elsewhere = await createTestItem(person, "free");
  const first = (await write(person, itemNo, "댓글")).data.commentId;
  const reply = (await write(person, itemNo, "답글", first)).data.commentId;
  const foreign = (await write(person, elsewhere, "다른 글의 댓글")).data.commentId;
  const gone = (await write(person, itemNo, "지울 댓글")).data.commentId;
  await remove(person, itemNo, gone);
  for (const parent of [reply, foreign, gone, crypto.randomUUID()]) {
    const refused = await write(person, itemNo, "답글의 답글", parent);
    expect([refused.status, refused.fields.parentCommentId], JSON.stringify(parent)).toEqual([
      400,
      "답글을 달 댓글을 찾을 수 없습니다.",
    ]);
  }
  expect(await rows()).toHaveLength(4);
});

test("a comment is not found under another item or board", async () => {
  const person = await createMemberSession();
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(person, "free");
  const other = await createTestItem(person, "free");
  const notice = await createTestItem(admin, "notice");
  const { commentId } = (await write(person, itemNo, "댓글")).data;
  const body = { content: "고친 댓글", version: 1 };
  for (const session of [person, admin]) {
    const token = session.accessToken;
    for (const path of [
      commentsUrl(other),
      commentsUrl(notice, "notice"),
      commentsUrl(itemNo, "notice"),
      commentsUrl(999),
      commentsUrl(itemNo, "nowhere"),
    ]) {
      expect((await callJson("PATCH", `${path}/${commentId}`, { token, body })).status, path).toBe(404);
      expect((await callJson("DELETE", `${path}/${commentId}`, { token })).status, path).toBe(404);
    }
  }
  expect(await shown(person, itemNo)).toEqual(["댓글"]);
});

test("only the author edits a comment, once a version", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const { commentId } = (await write(author, itemNo, "댓글")).data;
  const edit = (session: TestSession | null, content: string, version = 1) =>
    callAs(session, "PATCH", `${commentsUrl(itemNo)}/${commentId}`, { content, version });
  expect((await edit(null, "손님")).status).toBe(401);
  expect((await edit(other, "남")).status).toBe(404);
  expect((await remove(other, itemNo, commentId)).status).toBe(404);
  expect((await edit(author, "고친 댓글")).data).toEqual({ commentId, version: 2 });
  expect((await edit(author, "옛 판을 고침")).code).toBe("CONFLICT");
  expect(await shown(author, itemNo)).toEqual(["고친 댓글"]);
  expect((await remove(await createAdministratorSession(), itemNo, commentId)).status).toBe(200);
  expect((await edit(author, "지운 뒤", 3)).status).toBe(404);
  expect((await remove(author, itemNo, commentId)).status).toBe(404);
});

test("comments are plain text, never rendered as HTML", async () => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free");
  const content = "<img src=x onerror=alert(1)> & 둘째\n줄";
  await write(person, itemNo, content);
  expect(await shown(person, itemNo)).toEqual([content]);
});

test("a blank or overlong comment is refused by field", async () => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free");
  for (const content of ["", " \n ", "가".repeat(2001)]) {
    const refused = await write(person, itemNo, content);
    expect([refused.status, Object.keys(refused.fields)], `${content.length}`).toEqual([400, ["content"]]);
  }
  expect((await write(person, itemNo, "가".repeat(2000))).status).toBe(200);
});

test("comments of an unreadable item can be neither read nor written", async () => {
  await runSql("UPDATE board SET use_secret = 1");
  const author = await createMemberSession();
  const other = await createMemberSession();
  const admin = await createAdministratorSession();
  const secret = await createTestItem(author, "free", { isSecret: true });
  await write(admin, secret, "비밀 댓글");
  expect((await read(other, secret)).status).toBe(403);
  expect((await write(other, secret, "댓글")).status).toBe(403);
  expect((await read(null, secret)).status).toBe(401);

  const open = await createTestItem(author, "free");
  const { commentId } = (await write(other, open, "댓글")).data;
  const silent = await createSessionWith(["Board_free_List", "Board_free_View"]);
  expect((await write(silent, open, "댓글")).status).toBe(403);
  expect((await read(silent, open)).status).toBe(200);

  await runSql("UPDATE board SET is_closed = 1 WHERE board_code = 'free'");
  expect((await read(author, open)).status).toBe(404);
  expect((await write(other, open, "댓글")).status).toBe(404);
  expect((await remove(other, open, commentId)).status).toBe(404);
  expect((await read(admin, open)).data).toHaveLength(1);

  await runSql("UPDATE board SET is_closed = 0, use_comment = 0 WHERE board_code = 'free'");
  expect((await read(author, open)).data).toEqual([]);
  expect((await write(author, open, "댓글")).fields.content).toBe("이 게시판에서는 댓글을 쓸 수 없습니다.");
  expect(await rows()).toHaveLength(2);
});

test("100 comments are deleted or restored with their item", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(author, "free");
  for (let n = 0; n < 10; n += 1) await write(author, itemNo, `댓글 ${n}`);
  await runSql(`INSERT INTO board_item_comment (id, item_id, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT lower(hex(randomblob(16))), item_id, content, created_user_id, created_user_name, created_date, modified_date
     FROM board_item_comment JOIN json_each('[1,2,3,4,5,6,7,8,9]')`);
  await runSql("UPDATE board_item SET comment_count = 100");
  const token = admin.accessToken;
  await callJson("DELETE", `/api/board-item/free/${itemNo}`, { token });
  expect((await read(author, itemNo)).status).toBe(404);
  expect((await write(author, itemNo, "뒤늦은 댓글")).status).toBe(404);
  await callJson("POST", `/api/board-item/free/${itemNo}/restore`, { token });
  expect([await countOf(author, itemNo), (await read(author, itemNo)).data.length]).toEqual([100, 100]);
  await callJson("DELETE", `/api/board-item/free/${itemNo}`, { token });
  await callJson("DELETE", "/api/board-item/bin/free", { token });
  expect(await rows()).toEqual([]);
});

test("a multi-part emoji stays one character in every text", async () => {
  const admin = await createAdministratorSession();
  const sign = "👩‍⚕️";
  const item = await callAs(admin, "PUT", "/api/board-item/free", {
    title: `${sign} 안내`,
    content: `<p>${sign}</p>`,
    fileIds: [],
  });
  const { itemNo } = item.data;
  await callAs(admin, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: `감사합니다 ${sign}` });
  expect((await callAs(admin, "GET", `/api/board-item/free/${itemNo}`)).data).toMatchObject({
    title: `${sign} 안내`,
    content: `<p>${sign}</p>`,
  });
  const comments = await callAs(admin, "GET", `/api/board-item-comment?boardCode=free&itemNo=${itemNo}`);
  expect(comments.data[0].content).toBe(`감사합니다 ${sign}`);
});
