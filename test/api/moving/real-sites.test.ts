/** @module-tag full */
import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { parseOldAddress } from "#worker/contract/moving/old-address.ts";
import { findOldAddress } from "#worker/domain/moving/old-address.server.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import gnuboardFiles from "../../fixtures/moving/gnuboard5.files.zip?inline";
import installedRdx from "../../fixtures/moving/gnuboard5-installed.rdx.zip?inline";
import gnuboardRdx from "../../fixtures/moving/gnuboard5.rdx.zip?inline";
import installedRhymixFiles from "../../fixtures/moving/rhymix-installed.files.zip?inline";
import installedRhymixRdx from "../../fixtures/moving/rhymix-installed.rdx.zip?inline";
import rhymixFiles from "../../fixtures/moving/rhymix.files.zip?inline";
import rhymixRdx from "../../fixtures/moving/rhymix.rdx.zip?inline";
import { commitMove, issueCounts, onceEach, sendArchives, siteDigest, undoMove } from "../../support/move.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { readRows } from "../../support/test-database.ts";

// Origin of these archives: test/fixtures/moving/README.md.

const bytesOf = (dataUrl: string) =>
  new Uint8Array(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64")) as Uint8Array<ArrayBuffer>;

async function signinCode(userKeyCode: string, password: string): Promise<string> {
  const body = { userKeyType: "Id", userKeyCode, password };
  return (await callJson("POST", "/api/user/signin", { body, address: `203.0.113.${userKeyCode.length}` })).code;
}

async function expectSignins(passwords: Record<string, string>): Promise<void> {
  for (const [userId, password] of Object.entries(passwords)) {
    expect([userId, await signinCode(userId, `${password}x`)]).toEqual([userId, "INVALID_CREDENTIAL"]);
    expect([userId, await signinCode(userId, password)]).toEqual([userId, "SUCCESS"]);
  }
}

async function moveIn(rdx: string, files: string | null, oldOrigin?: string) {
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const archives = [
    { kind: "rdx" as const, bytes: bytesOf(rdx) },
    ...(files ? [{ kind: "files" as const, bytes: bytesOf(files) }] : []),
  ];
  const id = await sendArchives(token, archives, oldOrigin ? { oldOrigin } : {});
  return { token, before, archives, id, view: await commitMove(token, id) };
}
type MovedIn = Awaited<ReturnType<typeof moveIn>>;

async function expectUndoneAndMovedAgain(
  { token, id, before, archives }: MovedIn,
  passwords: Record<string, string>,
): Promise<void> {
  expect((await undoMove(token, id)).issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);
  await commitMove(token, await sendArchives(token, archives));
  await expectSignins(passwords);
}

const placeOf = async (address: string, session: TestSession | null = null) => {
  const parsed = parseOldAddress(new URL(address, "https://new.example.kr"));
  return parsed ? ((await findOldAddress(scopeFor(session), parsed))?.path ?? null) : null;
};

test("a gnuboard5 exported by RDX Exporter is imported once", async () => {
  const { token, before, archives, view } = await moveIn(gnuboardRdx, gnuboardFiles);
  const again = await commitMove(token, await sendArchives(token, archives));
  expect(again.committed).toEqual({ members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  expect(again.already).toMatchObject({ members: 6, items: 7, files: 3, notes: 2 });
  expect(before.board).not.toBe((await siteDigest()).board);
  expect(view.status).toBe("committed");
  expect(view.source).toBe("Gnuboard5");
  expect(view.counts).toEqual({ members: 6, boards: 3, items: 7, comments: 3, files: 4, notes: 2 });
  expect(view.committed).toEqual({ members: 6, boards: 3, items: 7, comments: 2, files: 4, notes: 2 });
  expect(issueCounts(view)).toEqual(
    onceEach("member-admin member-waiting member-picture element-dropped comment-secret file-missing text-repaired"),
  );

  const items = await readRows(
    "SELECT board_code, title, created_user_name, is_pinned, is_secret, category, view_count FROM board_item WHERE board_code LIKE 'old-%' ORDER BY board_code, item_no",
  );
  expect(items.map((row) => Object.values(row))).toEqual([
    ["old-free-talk", "질문 있습니다", "홍길동님", 0, 0, "질문", 7],
    ["old-free-talk", "비밀 이야기", "홍길동님", 0, 1, "", 7],
    ["old-free-talk", "깨진 제목입니다", "손님", 0, 0, "", 7],
    ["old-free-talk", "떠난 사람의 글", "떠난이", 0, 0, "", 7],
    ["old-gallery", "봄 나들이", "홍길동님", 0, 0, "", 7],
    ["old-notice", "창립 총회 안내", "관리자님", 1, 0, "자료", 321],
    ["old-notice", "둘째 공지", "홍길동님", 0, 0, "", 7],
  ]);
  const files = await readRows("SELECT file_name AS name FROM file WHERE status = 'attached' ORDER BY file_name");
  expect(files.map(({ name }) => name)).toEqual(["봄.png", "안내문.txt", "총회.png", "회의록 2016.hwp"]);
  expect(await readRows("SELECT folder, content FROM old_note ORDER BY folder")).toEqual([
    { folder: "inbox", content: "점심 <함께> 하시지요" },
    { folder: "sent", content: "점심 <함께> 하시지요" },
  ]);
});

test("members of a gnuboard5 sign in with their old passwords", async () => {
  await moveIn(gnuboardRdx, gnuboardFiles);
  await expectSignins({ hong: "Hong!Old22", kim_sr: "Kim!Old333", lee_old: "Lee!Old444", sha_one: "Sha!Old555" });
  expect(await signinCode("spammer", "Spam!Old66")).not.toBe("SUCCESS");
});

test("old addresses of a gnuboard5 lead to their new places", async () => {
  await moveIn(gnuboardRdx, gnuboardFiles);
  expect(await placeOf("/bbs/board.php?bo_table=notice&wr_id=1")).toBe("/board/old-notice/View/1");
  expect(await placeOf("/free_talk/1")).toBe("/board/old-free-talk/View/1");
  expect(await placeOf("/bbs/board.php?bo_table=gallery")).toBe("/board/old-gallery/List/");
  expect(await placeOf("/bbs/board.php?bo_table=free_talk&wr_id=2")).toMatch(
    /^\/board\/old-free-talk\/View\/1#comment-/,
  );
  const attachment = await placeOf("/bbs/download.php?bo_table=free_talk&wr_id=1&no=0");
  expect((await fetchApi("GET", String(attachment))).headers.get("Content-Disposition")).toContain(
    encodeURIComponent("회의록 2016.hwp"),
  );
  expect(await placeOf("/data/file/notice/2_y.txt")).toMatch(/^\/api\/file\//);
  expect(await placeOf(`/data/editor/1605/${encodeURIComponent("총회.png")}`)).toMatch(/^\/api\/file\//);
});

test("a gnuboard5 created by its own installer is imported", async () => {
  const moved = await moveIn(installedRdx, null);
  const { view } = moved;
  expect(view.counts).toEqual({ members: 4, boards: 3, items: 4, comments: 3, files: 3, notes: 2 });
  expect(view.committed).toEqual({ members: 4, boards: 3, items: 4, comments: 2, files: 3, notes: 2 });
  expect(issueCounts(view)).toEqual({
    "member-admin": 1,
    "member-waiting": 1,
    "member-picture": 1,
    "comment-secret": 1,
  });
  expect(view.fields.map(({ name }) => name).toSorted()).toEqual(["address", "mb_1", "mb_2", "phone_number"]);
  const items = await readRows(
    "SELECT board_code, title, created_user_name, is_pinned, is_secret, category, file_count, comment_count FROM board_item WHERE board_code LIKE 'old-%' ORDER BY board_code, item_no",
  );
  expect(items.map((row) => Object.values(row))).toEqual([
    ["old-free", "질문 있습니다", "홍길동님", 0, 0, "", 1, 2],
    ["old-free", "비밀 이야기", "홍길동님", 0, 1, "질문", 0, 0],
    ["old-gallery", "봄 나들이", "관리자", 0, 0, "", 1, 0],
    ["old-notice", "창립 총회 안내", "관리자", 1, 0, "", 1, 0],
  ]);
  expect(await readRows("SELECT DISTINCT content FROM old_note")).toEqual([{ content: "점심 <함께> 하시지요" }]);
  expect(await placeOf("/bbs/board.php?bo_table=notice&wr_id=1")).toBe("/board/old-notice/View/1");
  const attachment = await placeOf("/bbs/download.php?bo_table=free&wr_id=1&no=0");
  expect((await fetchApi("GET", String(attachment))).headers.get("Content-Disposition")).toContain(
    encodeURIComponent("회의록 2016.hwp"),
  );

  await expectUndoneAndMovedAgain(moved, { admin: "Admin!Old1", hong: "Hong!Old22", kim_sr: "Kim!Old333" });
});

test("a Rhymix created by its own installer is imported", async () => {
  const moved = await moveIn(installedRhymixRdx, installedRhymixFiles, "http://127.0.0.1:33181");
  const { view } = moved;
  expect(view.counts).toEqual({ members: 3, boards: 2, items: 3, comments: 2, files: 2, notes: 2 });
  expect(view.committed).toEqual(view.counts);
  expect(issueCounts(view)).toEqual({ "member-admin": 1 });
  expect(view.groups.toSorted((a, b) => b.count - a.count)).toEqual([
    { name: "준회원", count: 2 },
    { name: "관리그룹", count: 1 },
  ]);
  const items = await readRows(
    "SELECT item_no AS no, title, created_user_name AS author, is_pinned AS pinned, comment_count AS comments, content FROM board_item WHERE board_code LIKE 'old-%' ORDER BY title",
  );
  expect(items.map(({ title, author, pinned, comments }) => [title, author, pinned, comments])).toEqual([
    ["다음 모임", "박회원", 0, 0],
    ["정기 & 모임", "박회원", 0, 2],
    ["총회 안내", "대표", 1, 0],
  ]);
  const [next, first] = items;
  expect(next?.content).toContain('href="/index.php?mid=board&amp;document_srl=73"');
  expect(first?.content).toMatch(/<img src="\/api\/file\/[0-9a-f-]{36}" alt="약도.png"/);
  expect(await placeOf("/index.php?mid=board&document_srl=73")).toBe(`/board/old-board/View/${String(first?.no)}`);
  expect(await placeOf("/notice/82")).toBe("/board/old-notice/View/1");
  expect(await placeOf("/index.php?module=file&act=procFileDownload&file_srl=75")).toMatch(/^\/api\/file\//);
  expect(await readRows("SELECT DISTINCT title, content FROM old_note")).toEqual([
    { title: "안부", content: "잘 지내시지요?" },
  ]);

  await expectUndoneAndMovedAgain(moved, { boss: "Boss!Old11", park: "Park!Old22", choi: "Choi!Old33" });
});

test("a Rhymix with files outside its RDX is imported", async () => {
  const moved = await moveIn(rhymixRdx, rhymixFiles, "https://xe.example.kr");
  const { view } = moved;
  expect(view.counts).toEqual({ members: 6, boards: 2, items: 4, comments: 2, files: 4, notes: 2 });
  expect(view.committed).toEqual({ members: 6, boards: 2, items: 4, comments: 2, files: 3, notes: 2 });
  expect(issueCounts(view)).toEqual({ "member-admin": 1, "file-missing": 1 });
  expect(view.groups).toEqual([{ name: "정회원", count: 5 }]);
  expect(view.fields.map(({ name }) => name).toSorted()).toEqual(["interest", "school"]);
  const [item] = await readRows(
    "SELECT content, is_pinned AS pinned, category, view_count AS views FROM board_item WHERE title = '정기 & 모임'",
  );
  expect(item).toMatchObject({ pinned: 1, category: "알림", views: 44 });
  expect(item?.content).toMatch(/<img src="\/api\/file\/[0-9a-f-]{36}" alt="약도"/);
  expect(item?.content).toContain('href="/free/102"');
  expect(item?.content).toContain("대강당");
  expect(item?.content).toContain("#모임 #정기");

  await expectUndoneAndMovedAgain(moved, {
    boss: "Boss!Old11",
    park: "Park!Old22",
    choi: "Choi!Old33",
    jung: "Jung!Old44",
    kang: "Kang!Old55",
    yoon: "Yoon!Old66",
  });
});

test("old addresses of a Rhymix lead to their new places", async () => {
  await moveIn(rhymixRdx, rhymixFiles, "https://xe.example.kr");
  const [item] = await readRows("SELECT item_no AS no FROM board_item WHERE title = '정기 & 모임'");
  const [secret] = await readRows("SELECT item_no AS no FROM board_item WHERE title = '비밀글'");
  expect(await placeOf("/free/101")).toBe(`/board/old-free/View/${String(item?.no)}`);
  expect(await placeOf("/index.php?document_srl=101")).toBe(`/board/old-free/View/${String(item?.no)}`);
  expect(await placeOf("/index.php?mid=photos")).toBe("/board/old-photos/List/");
  expect(await placeOf("/?mid=free&document_srl=102")).toBe(`/board/old-free/View/${String(secret?.no)}`);
  expect(await placeOf("/index.php?module=file&act=procFileDownload&file_srl=302&sid=x")).toMatch(/^\/api\/file\//);
  expect(await placeOf("/files/attach/images/60/104/%EA%B0%80%EC%9D%84.png")).toMatch(/^\/api\/file\//);
});
