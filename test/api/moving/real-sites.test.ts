import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import type { MovingView } from "#worker/contract/moving/view.ts";
import { findOldAddress, parseOldAddress } from "#worker/domain/moving/old-address.server.ts";
import { callJson } from "../../api-client.ts";
import rhymixFiles from "../../fixtures/moving/rhymix.files.zip?inline";
import rhymixRdx from "../../fixtures/moving/rhymix.rdx.zip?inline";
import { landMove, sendArchives, siteDigest, undoMove } from "../../move.ts";
import { createAdministratorSession } from "../../people.ts";
import { scopeFor } from "../../request-scope.ts";
import { readRows } from "../../test-database.ts";

// How these archives were made: test/fixtures/moving/README.md.

const bytesOf = (dataUrl: string) =>
  new Uint8Array(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64")) as Uint8Array<ArrayBuffer>;
const countsOf = (view: MovingView) => Object.fromEntries(view.issues.map(({ code, count }) => [code, count]));

async function signinCode(userKeyCode: string, password: string): Promise<string> {
  const body = { userKeyType: "Id", userKeyCode, password };
  return (await callJson("POST", "/api/user/signin", { body, address: `203.0.113.${userKeyCode.length}` })).code;
}

const placeOf = async (address: string) => {
  const parsed = parseOldAddress(new URL(address, "https://new.example.kr"));
  return parsed ? ((await findOldAddress(scopeFor(null), parsed))?.path ?? null) : null;
};

test("a Rhymix whose files lie beside its RDX moves in, with its passwords and old addresses, and is undone", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const archives = [
    { kind: "rdx" as const, bytes: bytesOf(rhymixRdx) },
    { kind: "files" as const, bytes: bytesOf(rhymixFiles) },
  ];
  const id = await sendArchives(token, archives, { oldOrigin: "https://xe.example.kr" });
  const view = await landMove(token, id);
  expect(view.counts).toEqual({ members: 6, boards: 2, items: 4, comments: 2, files: 4, notes: 2 });
  expect(view.landed).toEqual({ members: 6, boards: 2, items: 4, comments: 2, files: 3, notes: 2 });
  expect(countsOf(view)).toEqual({ "member-admin": 1, "file-missing": 1 });
  expect(view.groups).toEqual([{ name: "정회원", count: 5 }]);
  expect(view.fields.map(({ name }) => name).toSorted()).toEqual(["interest", "school"]);
  const [item] = await readRows(
    "SELECT content, item_no AS no, is_pinned AS pinned, category, view_count AS views FROM board_item WHERE title = '정기 & 모임'",
  );
  expect(item).toMatchObject({ pinned: 1, category: "알림", views: 44 });
  expect(item?.content).toMatch(/<img src="\/api\/file\/[0-9a-f-]{36}" alt="약도"/);
  expect(item?.content).toContain('href="/free/102"');
  expect(item?.content).toContain("대강당");
  expect(item?.content).toContain("#모임 #정기");

  const [secret] = await readRows("SELECT item_no AS no FROM board_item WHERE title = '비밀글'");
  expect(await placeOf("/free/101")).toBe(`/board/old-free/View/${String(item?.no)}`);
  expect(await placeOf("/index.php?document_srl=101")).toBe(`/board/old-free/View/${String(item?.no)}`);
  expect(await placeOf("/index.php?mid=photos")).toBe("/board/old-photos/List/");
  expect(await placeOf("/?mid=free&document_srl=102")).toBe(`/board/old-free/View/${String(secret?.no)}`);
  expect(await placeOf("/index.php?module=file&act=procFileDownload&file_srl=302&sid=x")).toMatch(/^\/api\/file\//);
  expect(await placeOf("/files/attach/images/60/104/%EA%B0%80%EC%9D%84.png")).toMatch(/^\/api\/file\//);

  expect((await undoMove(token, id)).issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);

  await landMove(token, await sendArchives(token, archives));
  for (const [userId, password] of [
    ["boss", "Boss!Old11"],
    ["park", "Park!Old22"],
    ["choi", "Choi!Old33"],
    ["jung", "Jung!Old44"],
    ["kang", "Kang!Old55"],
    ["yoon", "Yoon!Old66"],
  ] as const) {
    expect([userId, await signinCode(userId, `${password}x`)]).toEqual([userId, "INVALID_CREDENTIAL"]);
    expect([userId, await signinCode(userId, password)]).toEqual([userId, "SUCCESS"]);
  }
});
