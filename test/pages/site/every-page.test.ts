import { expect } from "vitest";
import { startCaseReportStub } from "#worker/local/case-report-stub.ts";
import { BARE_PATHS, MISSING_PATH, PUBLIC_PATHS, TRAIL_PATHS } from "../../calls/public-paths.ts";
import { test as base } from "../fixtures.ts";

const test = base.extend(
  "siteOptions",
  { scope: "file" },
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  async ({}, { onCleanup }) => {
    const stub = await startCaseReportStub();
    onCleanup(() => stub.close());
    return { vars: { CASE_REPORT_URL: stub.url } };
  },
);

const textOf = (html: string) => html.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]*>/g, "");
/** The first such element and all in it; none of them holds one of its kind. */
const partOf = (html: string, open: RegExp, name: string) => {
  const start = html.search(open);
  return start < 0 ? "" : html.slice(start, html.indexOf(`</${name}>`, start));
};
const trailOf = (html: string) => partOf(html, /<nav[^>]*aria-label="현재 위치"/, "nav");

test.for(PUBLIC_PATHS)("%s has its language, title, heading, dates, trail, publisher", async (path, { get }) => {
  const { status, text } = await get(path);
  expect(status).toBe(path === MISSING_PATH ? 404 : 200);
  expect(text).toMatch(/<html[^>]* lang="ko"/);
  expect(text).toMatch(/<title>[^<|]+ \| 한국면역결핍질환연구망<\/title>/);
  expect(text.match(/<h1[ >]/g)).toHaveLength(1);
  expect(text.match(/<time(?![^>]*\sdatetime="[^"])[^>]*>/gi)).toBeNull();
  expect(text.match(/<marquee|<video[^>]*\sautoplay/gi)).toBeNull();
  if (BARE_PATHS.includes(path)) return;
  const footer = partOf(text, /<footer/, "footer");
  for (const word of ["기관명", "주소", "전화", "이메일", "이용약관", "©"]) expect(textOf(footer)).toContain(word);
  expect(footer).toMatch(/<strong[^>]*>개인정보 처리방침<\/strong>/);
  if (TRAIL_PATHS.includes(path)) expect(trailOf(text)).toMatch(/aria-current="page"/);
});

test.for(["/board/notice/List/", "/board/notice/List/?page=2", "/board/notice/View/60", "/calendar"])(
  "the trail of %s names the menu group of its board",
  async (path, { get }) => {
    const steps = [...trailOf((await get(path)).text).matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)];
    expect(steps.slice(0, 2).map(([, step = ""]) => textOf(step))).toEqual(["홈", "게시판"]);
  },
);

test("the map of the home page names each region with two islands", async ({ get }) => {
  const names = /class="[^"]*map-names[^"]*"[\s\S]*?<\/g>/.exec((await get("/")).text)?.[0] ?? "";
  expect(names.match(/<text[ >]/g)).toHaveLength(17 + 2);
});

test("the popup of the demo leads to its open registration", async ({ get }) => {
  const [popup = ""] = /<section[^>]*data-popup[\s\S]*?<\/section>/.exec((await get("/")).text) ?? [];
  const [, href = ""] = /<a [^>]*href="([^"]+)"/.exec(popup) ?? [];
  expect((await get(href)).text).toContain('class="registration-card"');
});

test.for(["/en/board/notice/List/", "/en/calendar", "/en"])("%s marks each Korean title", async (path, { get }) => {
  const { text } = await get(path);
  const main = partOf(text, /<main/, "main");
  // The grid of a month has room for titles alone.
  const titles = main.match(/(?<!<li[^>]*>)<a [^>]*>(?:(?!<\/a>)[\s\S])*lang="ko"[\s\S]*?<\/(?:td|li|p)>/g) ?? [];
  expect(titles.length).toBeGreaterThan(2);
  expect(titles.filter((title) => !title.includes('title="in Korean"'))).toEqual([]);
  if (path !== "/en") expect(main).toContain("Posts are shown as they were written");
});
