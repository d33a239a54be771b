import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../api-client.ts";
import { createAdministratorSession, createUser } from "../../people.ts";
import { expectLog } from "../../expected-log.ts";
import { callApiWith, faultyDatabase } from "../../faulty-database.ts";
import hashes from "../../fixtures/moving/old-passwords.json";
import { finishSteps, landMove, MOVING, newBoards, readMove, sendArchives, siteDigest, undoMove } from "../../move.ts";
import {
  folderArchive,
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  rdxArchive,
} from "../../moving-archive.ts";
import { makePng } from "../../picture-samples.ts";

const all = async <T = Record<string, unknown>>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;

const [PASSWORD] = hashes;

const PICTURE = makePng(40, 30);

const SITE = {
  members: [
    oldMember("kim_1", {
      password: PASSWORD?.hash,
      extra_vars: { mb_1: "서울의대", address: ["06236", "서울", "1층"] },
      groups: ["정회원"],
    }),
    oldMember("lee", { password: "unknown", is_admin: "Y" }),
    oldMember("park", { status: "DENIED", email_address: "" }),
    oldMember("LEE", { email_address: "other@old.example.kr" }),
  ],
  notes: [oldNote(1, "lee", "kim_1"), oldNote(2, "kim_1", "gone", { folder: "Sent" }), oldNote(3, "kim_1", "gone")],
  boards: {
    free_talk: {
      title: "자유게시판",
      documents: [
        oldDocument(1, {
          user_id: "kim_1",
          nick_name: "옛날이",
          is_notice: "Y",
          category: "질문",
          content: `<p onclick="x()">안녕<script>alert(1)</script></p><img src="/data/editor/1601/그림.png" alt="그림"><a href="./board.php?bo_table=free_talk&amp;wr_id=2">둘째 글</a>`,
          comments: [
            oldComment(11, { user_id: "lee", content: "첫 댓글 &lt;b&gt;" }),
            oldComment(12, { parent_id: 11, content: "답글" }),
            oldComment(13, { parent_id: 12, content: "답글의 답글" }),
            oldComment(14, { status: "SECRET", content: "비밀 댓글" }),
            oldComment(15, { parent_id: 999 }),
          ],
          files: [
            oldFile(1, "회의록 2016.hwp", "data/file/free_talk/a.hwp"),
            oldFile(2, "사진.png", "data/file/free_talk/b.png"),
            oldFile(3, "없는 파일.pdf", "data/file/free_talk/none.pdf"),
            oldFile(4, "page.html", "data/file/free_talk/c.html"),
          ],
          links: ["https://example.kr/"],
          extra_vars: { wr_1: "여분 값" },
        }),
        oldDocument(2, {
          status: "SECRET",
          user_id: "kim_1",
          content: "줄이\n나뉜 글 <3",
          comments: [oldComment(21, { status: "SECRET" })],
        }),
        oldDocument(3, {
          user_id: "left",
          nick_name: "떠난이",
          regdate: "20990101000000",
          last_update: null,
          parent_id: 1,
        }),
        oldDocument(4, { content: "번호 800101-1234567 입니다." }),
        "",
        "{broken",
      ],
    },
  },
  files: {
    "data/file/free_talk/a.hwp": new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 1, 2, 3]),
    "data/file/free_talk/b.png": PICTURE,
    "data/file/free_talk/c.html": "<script>alert(1)</script>",
  },
};
const FOLDER = { "html/data/editor/1601/그림.png": PICTURE, "html/data/session/x": "x" };

async function moveSite(token: string) {
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive(SITE) },
    { kind: "files", bytes: folderArchive(FOLDER) },
  ]);
  return landMove(token, id);
}

test("a site of gnuboard moves in: members, items, comments, files and notes, and what does not is named", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await moveSite(token);
  expect(view.problem).toBeNull();
  expect(view.status).toBe("landed");
  expect(view.landed).toEqual({ members: 3, boards: 1, items: 4, comments: 5, files: 3, notes: 2 });
  expect(Object.fromEntries(view.issues.map(({ code, count }) => [code, count]))).toEqual({
    "line-empty": 1,
    "line-broken": 1,
    "member-twice": 1,
    "member-password": 1,
    "member-admin": 1,
    "member-denied": 1,
    "item-date": 1,
    "item-resident": 1,
    "item-reply": 1,
    "comment-secret": 1,
    "comment-parent": 1,
    "file-missing": 1,
    "file-type": 1,
    "note-owner": 1,
  });

  const users = await all(
    "SELECT user_name, role_code, user_type, status FROM user WHERE password_hash = '' OR password_hash LIKE 'imported%' ORDER BY id",
  );
  expect(users).toHaveLength(3);
  expect(users.every(({ role_code, user_type }) => role_code === "member" && user_type === "Member")).toBe(true);
  expect(
    await all(
      "SELECT user_key_code AS code FROM user_key WHERE user_key_type = 'Id' AND user_key_code IN ('kim_1', 'lee', 'park') ORDER BY 1",
    ),
  ).toHaveLength(3);

  const items = await all("SELECT * FROM board_item WHERE board_code = 'old-free-talk' ORDER BY item_no");
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

  const comments = await all(
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

  const files = await all("SELECT id, file_name AS name, purpose, status, size FROM file ORDER BY purpose, sort_order");
  expect(files.map(({ name, purpose, status }) => [name, purpose, status])).toEqual([
    ["회의록 2016.hwp", "board", "attached"],
    ["사진.png", "board", "attached"],
    ["그림.png", "image", "attached"],
  ]);
  const response = await fetchApi("GET", `/api/file/${String(files[0]?.id)}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Disposition")).toContain(encodeURIComponent("회의록 2016.hwp"));
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(SITE.files["data/file/free_talk/a.hwp"]);

  // The old password signs in, and reads the notes as a part of the person's own data.
  const signin = await callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: "kim_1", password: PASSWORD?.password },
  });
  expect(signin.code).toBe("SUCCESS");
  const own = await callJson("GET", `/api/user/${signin.data.user.id}/export`, { token: signin.data.accessToken });
  expect(own.data.oldNotes.map(({ folder, otherName }: Record<string, string>) => [folder, otherName])).toEqual([
    ["inbox", "lee"],
    ["sent", "gone"],
  ]);
  // Nothing of the archives is left.
  expect((await env.FILES.list({ prefix: "moving/" })).objects).toEqual([]);
  expect(await all("SELECT * FROM moving_entry UNION ALL SELECT *, 1, 1, 1, 1 FROM moving_seen")).toEqual([]);
});

test("the same archives again change no row, and a file that was missing then comes now", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]);
  await landMove(token, id);
  const before = await siteDigest();
  const again = await landMove(token, await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }]));
  expect(await siteDigest()).toEqual(before);
  expect(again.landed).toEqual({ members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  expect(again.already).toMatchObject({ items: 4, members: 4, notes: 2, files: 2 });

  const folder = folderArchive({ "www/data/file/free_talk/none.pdf": "%PDF-1.4 옛 문서" });
  const third = await landMove(
    token,
    await sendArchives(token, [
      { kind: "rdx", bytes: rdxArchive(SITE) },
      { kind: "files", bytes: folder },
    ]),
  );
  expect(third.landed).toMatchObject({ items: 0, files: 1 });
  expect(
    await all("SELECT file_count AS files FROM board_item WHERE item_no = 1 AND board_code = 'old-free-talk'"),
  ).toEqual([{ files: 3 }]);
});

test("an undo leaves every table as it was before", async () => {
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
  expect(await all("SELECT * FROM moved_thing")).toEqual([]);
  // And the way is free for another try.
  expect((await moveSite(token)).landed.items).toBe(4);
});

test("an undo keeps what was changed here since, and names it", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: "kim_1", password: PASSWORD?.password },
  });
  await callJson("PUT", "/api/board-item-comment/old-free-talk/4", { token, body: { content: "새 댓글" } });
  const [item] = await all<{ version: number }>(
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
  expect(await all("SELECT item_no AS no FROM board_item WHERE board_code = 'old-free-talk' ORDER BY 1")).toEqual([
    { no: 3 },
    { no: 4 },
  ]);
  expect(
    await all("SELECT user_key_code AS code FROM user_key WHERE user_key_code IN ('kim_1', 'lee', 'park')"),
  ).toEqual([{ code: "kim_1" }]);
});

test("who is here already keeps their account, and an ID that another has is not taken over", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const same = await createUser();
  const taken = await createUser();
  const members = [
    oldMember("old-same", { email_address: same.email }),
    oldMember(taken.userId, { email_address: "new@old.example.kr" }),
    oldMember("third", { email_address: "new@old.example.kr" }),
    oldMember("no key", { email_address: "no mail" }),
  ];
  const documents = [oldDocument(1, { user_id: "old-same" }), oldDocument(2, { user_id: taken.userId })];
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive({ members, boards: { a: { title: "가", documents } } }) },
  ]);
  const view = await landMove(token, id);
  expect([view.landed.members, view.already.members]).toEqual([2, 1]);
  expect(view.issues.map(({ code }) => code)).toEqual(["member-no-key", "member-id-taken", "member-mail-taken"]);
  const owners = await all<{ owner: string }>(
    "SELECT created_user_id AS owner FROM board_item WHERE board_code = 'old-a' ORDER BY item_no",
  );
  expect(owners[0]?.owner).toBe(same.id);
  expect([taken.id, same.id, "moved-in"]).not.toContain(owners[1]?.owner);
});

const CHECK_KILLS = [/INSERT OR IGNORE INTO moving_entry/, /INSERT OR IGNORE INTO moving_seen/];
const LAND_KILLS = [
  /INSERT INTO user \(/,
  /INSERT INTO board_item \(/,
  /INSERT OR IGNORE INTO old_note/,
  /INSERT OR IGNORE INTO file/,
  /DELETE FROM moving_entry/,
];
const UNDO_KILLS = [
  /DELETE FROM board_item WHERE/,
  /DELETE FROM old_note WHERE/,
  /DELETE FROM user WHERE/,
  /DELETE FROM board WHERE/,
];

/** A killed step gives no lease back. */
const leaveLease = (id: string) =>
  env.DB.prepare("UPDATE moving SET lease_id = 'killed', lease_date = 1 WHERE id = ?").bind(id).run();

/** Makes the call with a first step that is killed, then breaks each of these statements before it takes effect and behind it. */
async function killSteps(
  token: string,
  id: string,
  call: string,
  body: unknown,
  kills: readonly RegExp[],
): Promise<number> {
  let broken = 0;
  for (const [index, sql] of kills.entries()) {
    for (const when of ["before", "after"] as const) {
      const { DB, broke } = faultyDatabase({ sql, when, times: 1 });
      if (index === 0 && when === "before") {
        const begun = await callApiWith({ DB }, "POST", `${MOVING}/${id}/${call}`, { token, body });
        expect(begun.code).toBe("SUCCESS");
      }
      for (let step = 0; step < 5 && broke() === 0; step++)
        await callApiWith({ DB }, "POST", `${MOVING}/${id}/step`, { token, body: {} });
      broken += broke();
      await leaveLease(id);
    }
  }
  return broken;
}

test("a move that is killed in any of its steps goes on, and brings nothing twice; so does its undo", async () => {
  expectLog(/Network connection lost/);
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive({ ...SITE, perList: 2 }) },
    { kind: "files", bytes: folderArchive(FOLDER) },
  ]);
  expect(await killSteps(token, id, "check", {}, CHECK_KILLS)).toBe(4);
  const checked = await finishSteps(token, id);
  expect(checked).toMatchObject({ status: "checked", counts: { members: 4, items: 4, comments: 6, notes: 3 } });
  const mapping = { boards: newBoards(checked), groups: {}, fields: {}, version: checked.version };
  expect(await killSteps(token, id, "start", mapping, LAND_KILLS)).toBe(10);
  const landed = await finishSteps(token, id);
  expect(landed).toMatchObject({
    status: "landed",
    landed: { members: 3, boards: 1, items: 4, comments: 5, files: 3, notes: 2 },
  });
  const things = await all("SELECT kind, count(*) AS n FROM moved_thing GROUP BY kind ORDER BY kind");
  expect(things).toEqual([
    { kind: "board", n: 1 },
    { kind: "comment", n: 5 },
    { kind: "file", n: 3 },
    { kind: "item", n: 4 },
    { kind: "member", n: 3 },
    { kind: "note", n: 2 },
  ]);
  expect(await all("SELECT count(*) AS n FROM board_item WHERE board_code = 'old-free-talk'")).toEqual([{ n: 4 }]);

  const undo = { reason: "시험", version: landed.version };
  expect(await killSteps(token, id, "undo", undo, UNDO_KILLS)).toBe(8);
  expect((await finishSteps(token, id)).status).toBe("undone");
  expect(await siteDigest()).toEqual(before);
});

test("the office sees how it stands after leaving and coming back", async () => {
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
    expect.stringContaining("관리자 님이 시작한 이사가 아직 끝나지 않았습니다"),
  ]);
});
