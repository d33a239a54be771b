import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { commitMove, issueCounts, onceEach, readMove, sendArchives, siteDigest, undoMove } from "../../support/move.ts";
import { folderArchive, rdxArchive } from "../../samples/moving-archive.ts";
import { moveSite, PASSWORD, SITE } from "../../support/moving-site.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";

test("a gnuboard site is imported with reported omissions", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await moveSite(token);
  expect(view.problem).toBeNull();
  expect(view.status).toBe("committed");
  expect(view.committed).toEqual({ members: 3, boards: 1, items: 4, comments: 5, files: 3, notes: 2 });
  expect(issueCounts(view)).toEqual(
    onceEach(`line-empty line-broken member-twice member-password member-admin member-waiting item-date
      item-resident item-reply element-dropped comment-secret comment-parent file-missing file-type note-owner`),
  );

  const users = await readRows(
    "SELECT user_name, role_code, user_type, status FROM user WHERE password_hash = '' OR password_hash LIKE 'imported%' ORDER BY id",
  );
  expect(users).toHaveLength(3);
  expect(users.every(({ role_code, user_type }) => role_code === "member" && user_type === "Member")).toBe(true);
  expect(
    await readRows(
      "SELECT user_key_code AS code FROM user_key WHERE user_key_type = 'Id' AND user_key_code IN ('kim_1', 'lee', 'park') ORDER BY 1",
    ),
  ).toHaveLength(3);
  expect((await env.FILES.list({ prefix: "moving/" })).objects).toEqual([]);
  expect(await readRows("SELECT * FROM moving_entry UNION ALL SELECT *, 1, 1, 1, 1 FROM moving_seen")).toEqual([]);
});

async function moveSiteAsAdministrator(): Promise<void> {
  const { accessToken } = await createAdministratorSession();
  await moveSite(accessToken);
}

test("an item of a gnuboard site arrives with its author", async () => {
  await moveSiteAsAdministrator();
  const items = await readRows("SELECT * FROM board_item WHERE board_code = 'old-free-talk' ORDER BY item_no");
  expect(items.map(({ title, item_no }) => [title, item_no])).toEqual([
    ["옛 글 1", 1],
    ["옛 글 2", 2],
    ["옛 글 3", 3],
    ["옛 글 4", 4],
  ]);
  const [first, secret, foreign, numbered] = items;
  expect(first).toMatchObject({
    is_pinned: 1,
    category: "질문",
    view_count: 12,
    comment_count: 4,
    file_count: 2,
    created_user_name: "옛날이",
  });
  expect(new Date(Number(first?.created_date)).toISOString()).toBe("2016-01-01T18:04:05.000Z");
  expect(first?.content).not.toMatch(/script|onclick/);
  expect(first?.content).toMatch(/<img src="\/api\/file\/[0-9a-f-]{36}" alt="그림"/);
  expect(first?.content).toContain('href="/bbs/board.php?bo_table=free_talk&amp;wr_id=2"');
  expect(first?.content).toContain("https://example.kr/");
  expect(first?.content).toContain("여분 값");
  expect(secret).toMatchObject({ is_secret: 1, comment_count: 1, content: "<p>줄이<br />나뉜 글 &lt;3</p>" });
  expect(foreign).toMatchObject({ created_user_id: "moved-in", created_user_name: "떠난이" });
  expect(Number(foreign?.created_date)).toBeLessThan(Date.now());
  expect(numbered?.content).toContain("800101-*******");
});

test("the comments of a gnuboard site arrive in order", async () => {
  await moveSiteAsAdministrator();
  const first = await readRow<{ id: number }>(
    "SELECT id FROM board_item WHERE board_code = 'old-free-talk' AND item_no = 1",
  );
  const comments = await readRows(
    "SELECT content, parent_comment_id AS parent FROM board_item_comment WHERE item_id = ? ORDER BY rowid",
    first?.id,
  );
  expect(comments.map(({ content, parent }) => [content, parent === null])).toEqual([
    ["첫 댓글 <b>", true],
    ["답글", false],
    ["답글의 답글", false],
    ["옛 댓글입니다.", true],
  ]);
  expect(comments[1]?.parent).toBe(comments[2]?.parent);
});

test("the files of a gnuboard site are downloaded as before", async () => {
  await moveSiteAsAdministrator();
  const files = await readRows(
    "SELECT id, file_name AS name, purpose, status, size FROM file ORDER BY purpose, sort_order",
  );
  expect(files.map(({ name, purpose, status }) => [name, purpose, status])).toEqual([
    ["회의록 2016.hwp", "board", "attached"],
    ["사진.png", "board", "attached"],
    ["그림.png", "image", "attached"],
  ]);
  const response = await fetchApi("GET", `/api/file/${String(files[0]?.id)}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Disposition")).toContain(encodeURIComponent("회의록 2016.hwp"));
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(SITE.files["data/file/free_talk/a.hwp"]);
});

test("a member of a gnuboard site exports the old notes", async () => {
  await moveSiteAsAdministrator();
  const signin = await callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: "kim_1", password: PASSWORD.password },
  });
  expect(signin.code).toBe("SUCCESS");
  const own = await callJson("GET", `/api/user/${signin.data.user.id}/export`, { token: signin.data.accessToken });
  expect(own.data.oldNotes.map(({ folder, otherName }: Record<string, string>) => [folder, otherName])).toEqual([
    ["inbox", "lee"],
    ["sent", "gone"],
  ]);
});

test("reimporting the same archives changes no row", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]);
  await commitMove(token, id);
  const before = await siteDigest();
  const again = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]));
  expect(await siteDigest()).toEqual(before);
  expect(again.committed).toEqual({ members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  expect(again.already).toMatchObject({ items: 4, members: 4, notes: 2, files: 2 });

  const folder = folderArchive({ "www/data/file/free_talk/none.pdf": "%PDF-1.4 옛 문서" });
  const third = await commitMove(
    token,
    await sendArchives(token, [
      { kind: "rdx", bytes: rdxArchive(SITE) },
      { kind: "files", bytes: folder },
    ]),
  );
  expect(third.committed).toMatchObject({ items: 0, files: 1 });
  expect(
    await readRows("SELECT file_count AS files FROM board_item WHERE item_no = 1 AND board_code = 'old-free-talk'"),
  ).toEqual([{ files: 3 }]);
});

test("an undo restores every table to its earlier state", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const objects = (await env.FILES.list()).objects.length;
  const { id } = await moveSite(token);
  expect(await siteDigest()).not.toEqual(before);
  const undone = await undoMove(token, id);
  expect(undone.status).toBe("undone");
  expect(undone.issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);
  expect((await env.FILES.list()).objects).toHaveLength(objects);
  expect(await readRows("SELECT * FROM moved_thing")).toEqual([]);
  expect((await moveSite(token)).committed.items).toBe(4);
});

test("an undo keeps changes made since", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: "kim_1", password: PASSWORD.password },
  });
  await callJson("PUT", "/api/board-item-comment/old-free-talk/4", { token, body: { content: "새 댓글" } });
  const [item] = await readRows<{ version: number }>(
    "SELECT version FROM board_item WHERE board_code = 'old-free-talk' AND item_no = 3",
  );
  await callJson("PATCH", "/api/board-item/old-free-talk/3", {
    token,
    body: { title: "고친 제목", version: item?.version },
  });
  const undone = await undoMove(token, id);
  expect(undone.issues.find(({ code }) => code === "undo-kept")?.subjects.toSorted()).toEqual([
    "게시판 free_talk",
    "글 free_talk/3",
    "글 free_talk/4",
    "회원 kim_1",
  ]);
  expect(await readRows("SELECT item_no AS no FROM board_item WHERE board_code = 'old-free-talk' ORDER BY 1")).toEqual([
    { no: 3 },
    { no: 4 },
  ]);
  expect(
    await readRows("SELECT user_key_code AS code FROM user_key WHERE user_key_code IN ('kim_1', 'lee', 'park')"),
  ).toEqual([{ code: "kim_1" }]);
});

test("the office sees the current progress after returning", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]);
  const other = await createAdministratorSession();
  const view = await readMove(other.accessToken, id);
  expect([view.status, view.archives[0]?.isReady, view.archives[0]?.fileName]).toEqual([
    "uploading",
    true,
    "old-0.zip",
  ]);
  const second = await callJson("PUT", "/api/admin/moving", { token: other.accessToken, body: { site: "또" } });
  expect([second.status, second.message]).toEqual([
    409,
    expect.stringContaining("관리자님이 시작한 이사가 아직 끝나지 않았습니다"),
  ]);
});

const boardRow = () => readRows("SELECT categories, version FROM board WHERE board_code = 'free'");

test.each([
  ["gave new categories", ["기타"]],
  ["changed nothing", ["질문"]],
])("an undo keeps later changes to a board whose move %s", async (_what, categories) => {
  const { accessToken: token } = await createAdministratorSession();
  await runSql("UPDATE board SET categories = ? WHERE board_code = 'free'", JSON.stringify(categories));
  const before = await boardRow();
  const mapping = { boards: { free_talk: { to: "board", boardCode: "free" } } };
  const move = async () => {
    const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]);
    await commitMove(token, id, mapping);
    return id;
  };
  const id = await move();
  await runSql("UPDATE board SET categories = ?, version = version + 1 WHERE board_code = 'free'", '["새 분류"]');
  const changed = await boardRow();
  expect((await undoMove(token, id)).status).toBe("undone");
  expect(await boardRow()).toEqual(changed);
  expect(changed).not.toEqual(before);
});
