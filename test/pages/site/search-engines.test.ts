import { expect } from "vitest";
import { test } from "../fixtures.ts";

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? "";
const dataOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
    (match) => JSON.parse(match[1] ?? "") as Record<string, unknown>,
  );

const PAGES = [
  ["/", ["Organization"]],
  ["/pid/about", ["BreadcrumbList"]],
  ["/pid/center", ["BreadcrumbList"]],
  ["/pid/center/seoul", ["BreadcrumbList", "MedicalOrganization"]],
  ["/pid/residence", ["BreadcrumbList"]],
  ["/pid/organization", ["BreadcrumbList"]],
  ["/Registry", ["BreadcrumbList"]],
  ["/research/proposal", ["BreadcrumbList"]],
  ["/privacy", ["BreadcrumbList"]],
  ["/board/notice/List/", ["BreadcrumbList"]],
  ["/board/notice/View/60", ["Article", "BreadcrumbList"]],
] as const;

test.for(PAGES)(
  "%s is found by its title, description, address, picture and kind, and shared with them",
  async ([path, kinds], { site, get, readSitemap }) => {
    const { text } = await get(path);
    const title = /<title>([^<]+)<\/title>/.exec(text)?.[1] ?? "";
    expect(title).toMatch(/^[^|]+ \| 한국면역결핍질환연구망$/);
    expect(contentOf(text, "og:title")).toBe(title);
    const description = contentOf(text, "description");
    expect(description.length).toBeGreaterThan(10);
    expect(contentOf(text, "og:description")).toBe(description);
    expect(text.match(/<link rel="canonical" href="([^"]+)"/)?.[1]).toBe(site.url + path);
    expect(contentOf(text, "og:url")).toBe(site.url + path);
    expect(text).not.toContain('name="robots"');
    const picture = await fetch(contentOf(text, "og:image"));
    expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    const data = dataOf(text);
    for (const kind of kinds) expect(data.map((each) => each["@type"])).toContain(kind);
    expect(await readSitemap()).toContain(path);
  },
);

test("an article says when it was written, by whom and where it stands", async ({ site, get }) => {
  const data = dataOf((await get("/board/notice/View/60")).text);
  const article = data.find((each) => each["@type"] === "Article");
  const crumbs = data.find((each) => each["@type"] === "BreadcrumbList") as {
    itemListElement: { name: string; item: string }[];
  };
  expect(article).toMatchObject({
    headline: expect.any(String),
    datePublished: expect.stringMatching(/^\d{4}-/),
    dateModified: expect.stringMatching(/^\d{4}-/),
    author: { "@type": "Person" },
    mainEntityOfPage: `${site.url}/board/notice/View/60`,
  });
  expect(crumbs.itemListElement.map(({ item }) => item)).toEqual([
    `${site.url}/`,
    `${site.url}/board/notice/List/`,
    `${site.url}/board/notice/View/60`,
  ]);
});

test("feeds are announced where they are, and answer", async ({ get }) => {
  for (const path of ["/", "/board/notice/List/", "/board/notice/View/60"]) {
    const { text } = await get(path);
    const feed = /<link rel="alternate" type="application\/rss\+xml" title="공지사항" href="([^"]+)"/.exec(text)?.[1];
    expect([path, feed]).toEqual([path, "/board/notice/rss.xml"]);
  }
  const feed = await get("/board/notice/rss.xml");
  expect([feed.status, feed.headers.get("Content-Type")]).toEqual([200, "application/rss+xml; charset=utf-8"]);
});

test.for(["/nothing-here", "/search?keyword=안내", "/board/notice/View/999999", "/TOS/Content/TermsContent"])(
  "%s is not for an index",
  async (path, { get }) => {
    const { text } = await get(path);
    expect(contentOf(text, "robots")).toBe("noindex");
    expect(text).not.toContain('rel="canonical"');
  },
);

test.for<[path: string, type: RegExp]>([
  ["/favicon.ico", /^image\/(?:x-icon|vnd\.microsoft\.icon)$/],
  ["/favicon.svg", /^image\/svg\+xml$/],
  ["/apple-touch-icon.png", /^image\/png$/],
])("%s is there, and named on the page", async ([path, type], { get }) => {
  const { status, headers } = await get(path);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toMatch(type);
  expect((await get("/")).text).toContain(`href="${path}"`);
});
