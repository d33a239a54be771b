import { expect } from "vitest";
import { test } from "../fixtures.ts";

test("a search works without script", async ({ get }) => {
  const { status, text: html } = await get(`/search?keyword=${encodeURIComponent("연구")}`);
  expect(status).toBe(200);
  expect(html).toMatch(/<mark>연구<\/mark>/);
  expect(html).toMatch(/<form [^>]*action="\/search"/);
  expect(html).not.toContain("/board/free/View/");
});

test("a board list is searched by its address", async ({ get }) => {
  const { text: html } = await get(`/board/notice/List/?keyword=${encodeURIComponent("심포지엄")}&target=title`);
  expect(html).toMatch(/<mark>심포지엄<\/mark>/);
  expect(html).not.toContain("/board/reference/View/");
});

test("a search without hits says so", async ({ get }) => {
  for (const keyword of ["흐흐흫", "%", "<script>", "가", "가".repeat(17)]) {
    const { status, text: html } = await get(`/board/notice/List/?keyword=${encodeURIComponent(keyword)}`);
    expect(status, keyword).toBe(200);
    expect(html, keyword).not.toContain("<script>alert");
  }
  expect((await get(`/search?keyword=${encodeURIComponent("흐흐흫")}`)).text).toContain("검색 결과가 없습니다.");
});

test("any address gets a page", async ({ site }) => {
  const long = encodeURIComponent("가".repeat(401));
  for (const path of [`/search?keyword=${long}`, `/board/notice/List/?keyword=${long}`]) {
    const response = await fetch(site.url + path);
    expect([path.slice(0, 20), response.status]).toEqual([path.slice(0, 20), 200]);
    expect(await response.text(), path).toContain("100자 이하로 입력해 주십시오.");
  }
});

test("a guest who searches the members board is asked to sign in", async ({ site }) => {
  const response = await fetch(`${site.url}/board/free/List/?keyword=a`, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toMatch(/^\/account\/signin\?returnUrl=/);
});

test("a public board has a feed, the members board has none", async ({ site }) => {
  const response = await fetch(`${site.url}/board/notice/rss.xml`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/rss+xml; charset=utf-8");
  const feed = await response.text();
  expect(feed).toMatch(/^<\?xml version="1.0"/);
  expect(feed.match(/<item>/g)).toHaveLength(20);
  expect(feed).toContain(`<link>${site.url}/board/notice/View/`);
  expect((await fetch(`${site.url}/board/free/rss.xml`)).status).toBe(404);
  expect((await fetch(`${site.url}/board/nowhere/rss.xml`)).status).toBe(404);
});

test("a search counts its pages", async ({ get }) => {
  const hits = async (keyword: string) => {
    const { text } = await get(`/search?keyword=${encodeURIComponent(keyword)}`);
    return {
      pages: /aria-labelledby="page-hits"[\s\S]*?<\/section>/.exec(text)?.[0].match(/<li/g)?.length ?? 0,
      total: Number(/검색 결과 총 (?:<!-- -->)?<strong[^>]*>([\d,]+)/.exec(text)?.[1]),
      isPagesOnly: text.includes("이 검색어가 든 게시글은 없습니다."),
    };
  };
  expect(await hits("길찾기")).toEqual({ pages: 6, total: 6, isPagesOnly: true });
  expect(await hits("독도")).toEqual({ pages: 1, total: 1, isPagesOnly: true });
  const { pages, total, isPagesOnly } = await hits("권역센터");
  expect([pages > 0, total > pages, isPagesOnly]).toEqual([true, true, false]);
});

test("information pages or centres are found with the items", async ({ get }) => {
  const { text: html } = await get(`/search?keyword=${encodeURIComponent("권역센터")}`);
  const pages = /aria-labelledby="page-hits"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
  expect(pages).toContain('href="/pid/center');
  expect((await get(`/search?keyword=${encodeURIComponent("이용약관")}`)).text).toContain('href="/terms"');
  const director = await get(`/search?keyword=${encodeURIComponent("센터 02-0000")}`);
  expect(director.status).toBe(200);
  expect((await get(`/search?keyword=${encodeURIComponent("권역센터")}&boardCode=notice`)).text).not.toContain(
    "page-hits",
  );
  expect(html).toMatch(/aria-current="true"[^>]*>정확도순/);
  expect(html).toContain("order=date");
  const newest = await get(`/search?keyword=${encodeURIComponent("심포지엄")}&order=date`);
  expect(newest.text).toMatch(/aria-current="true"[^>]*>최신순/);
});
