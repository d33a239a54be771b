import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { test } from "../fixtures.ts";

const CLIENT = resolve(import.meta.dirname, "../../../build/client");

function scriptsOf(html: string) {
  const tags = [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)]
    .map(([, attributes = "", text = ""]) => ({ attributes, text }))
    .filter(({ attributes }) => !/ld\+json|speculationrules/.test(attributes));
  const files = tags.flatMap(({ attributes }) => /\bsrc="([^"]+)"/.exec(attributes)?.[1] ?? []);
  return { inline: tags.map(({ text }) => text).join(""), files };
}

const READERS = [
  "/",
  "/pid/about",
  "/pid/center",
  "/pid/center/seoul",
  "/pid/residence",
  "/Registry",
  "/research/proposal",
  "/board/notice/List/",
  "/board/notice/List/?keyword=%EC%95%88%EB%82%B4",
  "/board/notice/View/60",
  "/search",
  "/search?keyword=%EC%95%88%EB%82%B4",
  "/terms",
  "/privacy?version=2&compare=1",
  "/TOS/Content/TermsContent",
  "/calendar",
  "/sitemap",
];

test.for(READERS)("%s reaches a guest without the application", async (path, { get }) => {
  const { status, text } = await get(path);
  expect(status).toBe(200);
  expect(text).not.toMatch(/__reactRouter|modulepreload|<!-- -->|data-discover/);
  const { inline, files } = scriptsOf(text);
  const bytes = files.map((file) => readFileSync(join(CLIENT, file)).length);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^\/assets\/reader-script-[^/]+\.js$/);
  expect(inline.length + bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10_000);
  const parts = text.match(/<(?:script|img)[^>]*\ssrc=|<link[^>]*rel="(?:stylesheet|icon|manifest|preload)"/g) ?? [];
  expect(1 + parts.length).toBeLessThanOrEqual(12);
});

test.for<[path: string, kilobytes: number]>([
  // The limits are the sizes that gnuboard5 sends.
  ["/", 30],
  ["/board/notice/List/?size=20", 38],
  ["/board/notice/View/60", 29],
])("the HTML of %s is at most %i kB", async ([path, kilobytes], { get }) => {
  const { text } = await get(path);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(kilobytes * 1000);
  expect(text.match(/<details name="menu"/g)?.length).toBe(new Set(text.match(/<summary>[^<]+/g)).size);
  const drawings = [...text.matchAll(/<(?:svg|symbol)\b[^>]*>((?:<(?:path|circle|rect|line)\b[^>]*>(?:<\/\w+>)?)+)/g)];
  expect(drawings.length).toBeGreaterThan(5);
  expect(new Set(drawings.map(([, drawing]) => drawing)).size).toBe(drawings.length);
  for (const [, id] of text.matchAll(/<use href="#([^"]+)"/g)) expect(text.split(`id="${id}"`)).toHaveLength(2);
});

test("a member gets the application script", async ({ get, member }) => {
  for (const path of READERS) {
    const { text } = await get(path, member.cookie);
    expect(text, path).toContain("__reactRouterContext");
    expect(text, path).not.toMatch(/reader-script|speculationrules/);
  }
  for (const path of ["/Account/Signin", "/Account/Signup", "/nothing-here", "/board/notice/View/999999"])
    expect((await get(path)).text, path).toContain("__reactRouterContext");
});

test("only pages that are equal for guests are prerendered", async ({ get }) => {
  const { text } = await get("/");
  const rules = JSON.parse(/<script type="speculationrules"[^>]*>(.*?)<\/script>/s.exec(text)?.[1] ?? "") as {
    prerender: { where: { and: [{ href_matches: string[] }] }; eagerness: string }[];
  };
  const [rule] = rules.prerender;
  const patterns = rule?.where.and[0].href_matches ?? [];
  expect(rule?.eagerness).toBe("moderate");
  expect(patterns).toContain("/board/*/View/*");
  for (const pattern of patterns) expect(pattern).not.toMatch(/api|account|admin|mypage|write|^\/search|^\/\*/i);
});

test("a prefetch does not count as a view", async ({ db, get }) => {
  const countOf = (itemNo: number) =>
    db
      .prepare("SELECT view_count AS views FROM board_item WHERE board_code = 'notice' AND item_no = ?")
      .bind(itemNo)
      .first<number>("views");
  const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x64) Chrome/153.0" };
  const before = await Promise.all([57, 56].map(countOf));
  for (let visit = 0; visit < 2; visit += 1)
    await get("/board/notice/View/57", { ...browser, "Sec-Purpose": "prefetch;prerender" });
  // Once this later view is counted, the earlier ones would have been.
  await get("/board/notice/View/56", browser);
  await expect.poll(() => countOf(56)).toBe((before[1] ?? 0) + 1);
  expect(await countOf(57)).toBe(before[0]);
  await get("/board/notice/View/57", browser);
  await expect.poll(() => countOf(57)).toBe((before[0] ?? 0) + 1);
});
