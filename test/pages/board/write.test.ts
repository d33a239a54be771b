import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { type SignedInPerson, test } from "../fixtures.ts";

async function write(
  site: RunningSite,
  { bearer }: SignedInPerson,
  boardCode: string,
  fields: object,
): Promise<number> {
  const response = await fetch(`${site.url}/api/board-item/${boardCode}`, {
    method: "PUT",
    headers: bearer,
    body: JSON.stringify({ content: "<p>내용</p>", fileIds: [], ...fields }),
  });
  return ((await response.json()) as { data: { itemNo: number } }).data.itemNo;
}

test("a guest who wants to write returns after signing in", async ({ get }) => {
  const response = await get("/board/free/Write?from=list");
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe(
    `/account/signin?returnUrl=${encodeURIComponent("/board/free/Write?from=list")}`,
  );
});

test("only a member with Write gets the form", async ({ get, member }) => {
  const { cookie } = member;
  const refused = await get("/board/notice/Write", cookie);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다");

  const html = (await get("/board/free/Write", cookie)).text;
  expect(html).toContain("글쓰기");
  expect(html).toMatch(/<input[^>]*name="title"/);
  expect(html).not.toContain("공지 고정");
  expect(html).not.toContain("메인 노출");
});

test("only the author gets an item for editing", async ({ site, get, admin, member }) => {
  const itemNo = await write(site, admin, "free", { title: "관리자의 글", content: "<p>남의 본문</p>" });
  const response = await get(`/board/free/Write/${itemNo}`, member.cookie);
  expect(response.status).toBe(403);
  expect(response.text).not.toContain("남의 본문");
});

test("an item that is unpublished or missing is not found", async ({ site, get, admin, member }) => {
  const hidden = await write(site, admin, "free", { title: "예약", publishDate: "2099-01-01T00:00:00+09:00" });
  for (const itemNo of ["99999", String(hidden), "0", "abc"]) {
    expect((await get(`/board/free/Write/${itemNo}`, member.cookie)).status, `${itemNo}`).toBe(404);
  }
  expect((await get("/board/nowhere/Write", member.cookie)).status).toBe(404);
});

test("the form of an item contains the stored values", async ({ site, get, admin }) => {
  const itemNo = await write(site, admin, "notice", {
    title: "고칠 공지",
    isPinned: true,
    pinnedUntil: "2026-12-24T23:59:59+09:00",
  });
  const html = (await get(`/Board/Notice/write/${itemNo}`, admin.cookie)).text;
  expect(html).toMatch(/value="고칠 공지"/);
  expect(html).toMatch(/value="2026-12-24"/);
  expect(html).toContain("글 수정");
});

test("no other page downloads the editor", async ({ get }) => {
  for (const path of ["/", "/board/notice/List/", "/board/notice/View/60"]) {
    expect((await get(path)).text, path).not.toMatch(/rich-editor/);
  }
});
