import { expect } from "vitest";
import { BARE_PAGES, PAGES_WITH_TRAIL, PUBLIC_PAGES } from "../../calls/public-pages.ts";
import { test as base } from "../fixtures.ts";

const test = base.extend("readOnce", { scope: "file" }, ({ get }) => {
  const texts = new Map<string, Promise<string>>();
  return (path: string) => {
    const text = texts.get(path) ?? get(path).then((page) => page.text);
    texts.set(path, text);
    return text;
  };
});

test.for(PUBLIC_PAGES)(
  "%s has its language, title, one heading and dates that programs read",
  async (path, { readOnce }) => {
    const text = await readOnce(path);
    expect(text).toMatch(/<html[^>]* lang="ko"/);
    expect(text).toMatch(/<title>[^<|]+ \| 한국면역결핍질환연구망<\/title>/);
    expect(text.match(/<h1[ >]/g)).toHaveLength(1);
    const times = text.match(/<time\b[^>]*>/g) ?? [];
    expect(times.filter((time) => !/ dateTime="[^"]+"/i.test(time))).toEqual([]);
    expect(text).not.toMatch(/<marquee|<video[^>]* autoplay/i);
  },
);

test.for(PUBLIC_PAGES.filter((path) => !BARE_PAGES.includes(path)))(
  "the footer of %s names the society and the ways to it",
  async (path, { readOnce }) => {
    const footer = /<footer[\s\S]*<\/footer>/.exec(await readOnce(path))?.[0] ?? "";
    for (const word of ["기관명", "주소", "전화", "이메일", "이용약관", "©"]) expect(footer).toContain(word);
    expect(footer).toMatch(/<strong[^>]*>(?:<[^>]+>)*개인정보처리방침/);
  },
);

test.for(PAGES_WITH_TRAIL)("%s says where it is", async (path, { readOnce }) => {
  expect(await readOnce(path)).toMatch(/<nav[^>]*aria-label="현재 위치"[\s\S]*?aria-current="page"[\s\S]*?<\/nav>/);
});
