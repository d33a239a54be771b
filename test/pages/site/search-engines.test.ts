import { readFileSync } from "node:fs";
import { Parser } from "htmlparser2";
import { expect } from "vitest";
import { test } from "../fixtures.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

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

test.for(sample(PAGES, ([path]) => path))(
  `%s has title, description, address, picture for sharing (${SAMPLE_NOTE})`,
  { tags: "sampled" },
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
    expect([picture.status, picture.headers.get("Content-Type")?.split("/")[0]]).toEqual([200, "image"]);
    const data = dataOf(text);
    for (const kind of kinds) expect(data.map((each) => each["@type"])).toContain(kind);
    expect(await readSitemap()).toContain(path);
  },
);

test("an article gives its author in the structured data", async ({ site, get }) => {
  const data = dataOf((await get("/board/notice/View/60")).text);
  const article = data.find((each) => each["@type"] === "Article");
  const crumbs = data.find((each) => each["@type"] === "BreadcrumbList") as {
    itemListElement: { name: string; item: string }[];
  };
  expect(article).toMatchObject({
    headline: expect.any(String),
    datePublished: expect.stringMatching(/^\d{4}-/),
    dateModified: expect.stringMatching(/^\d{4}-/),
    author: { "@type": "Organization", name: "관리자" },
    mainEntityOfPage: `${site.url}/board/notice/View/60`,
  });
  expect(crumbs.itemListElement.map(({ item }) => item)).toEqual([
    `${site.url}/`,
    `${site.url}/board/notice/List/`,
    `${site.url}/board/notice/View/60`,
  ]);
});

test("every linked feed exists", async ({ get }) => {
  for (const path of ["/", "/board/notice/List/", "/board/notice/View/60"]) {
    const { text } = await get(path);
    const feed = /<link rel="alternate" type="application\/rss\+xml" title="공지사항" href="([^"]+)"/.exec(text)?.[1];
    expect([path, feed]).toEqual([path, "/board/notice/rss.xml"]);
  }
  const feed = await get("/board/notice/rss.xml");
  expect([feed.status, feed.headers.get("Content-Type")]).toEqual([200, "application/rss+xml; charset=utf-8"]);
});

test.for(["/nothing-here", "/search?keyword=안내", "/board/notice/View/999999", "/TOS/Content/TermsContent"])(
  "%s is excluded from search engines",
  async (path, { get }) => {
    const { text } = await get(path);
    expect(contentOf(text, "robots")).toBe("noindex");
    expect(text).not.toContain('rel="canonical"');
  },
);

test.for<[path: string, type: RegExp]>([
  ["/network-mark.ico", /^image\/(?:x-icon|vnd\.microsoft\.icon)$/],
  ["/network-mark.svg", /^image\/svg\+xml$/],
  ["/network-icon.png", /^image\/png$/],
])("the page links to an existing %s", async ([path, type], { get }) => {
  const { status, headers } = await get(path);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toMatch(type);
  expect((await get("/")).text).toContain(`href="${path}"`);
});

const alternatesOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<link rel="alternate" hrefLang="([\w-]+)" href="([^"]+)"/gi)].map(([, language, href]) => [
      language,
      href,
    ]),
  );

/** Returns Korean text and attributes outside elements with `lang="ko"`. */
function hangulOutsideKorean(html: string): string[] {
  const found: string[] = [];
  const open: boolean[] = [];
  const note = (text: string) => {
    const rest = text.trim().replace(/^[^<>"]*\.[a-z]{3,4}$/, "");
    if (/[ㄱ-ㆎ가-힣]/.test(rest)) found.push(text.trim().slice(0, 80));
  };
  let isSkipped = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      const isKorean = open.at(-1) === true || attributes.lang === "ko";
      open.push(isKorean);
      isSkipped = name === "script" || name === "style";
      if (isKorean) return;
      for (const each of ["aria-label", "title", "alt", "placeholder", "content", "label"])
        note(attributes[each] ?? "");
      // The value of an option, checkbox or radio is not shown.
      if (name !== "option" && !/^(?:checkbox|radio)$/.test(attributes.type ?? "")) note(attributes.value ?? "");
    },
    ontext: (text) => open.at(-1) !== true && !isSkipped && note(text),
    onclosetag() {
      open.pop();
      isSkipped = false;
    },
  });
  parser.end(html);
  return found;
}

test("every public page except items has an English page", async ({ site, get, readSitemap }) => {
  const paths = await readSitemap();
  const english = paths.filter((path) => /^\/en(?:\/|$)/.test(path));
  const inKorean = /^\/(?:board\/[^/]+\/View\/|en(?:\/|$))/;
  const korean = paths.filter((path) => !inKorean.test(path)).toSorted();
  expect(english.map((path) => path.replace(/^\/en/, "") || "/").toSorted()).toEqual(korean);
  expect(english.length).toBeGreaterThan(25);
  for (const path of [...english, "/en/sitemap"]) {
    const { status, text, headers } = await get(path);
    expect([path, status, /<html lang="(\w+)"/.exec(text)?.[1]]).toEqual([path, 200, "en"]);
    expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect([path, hangulOutsideKorean(text)]).toEqual([path, []]);
    expect([path, text.match(/<link rel="canonical" href="([^"]+)"/)?.[1]]).toEqual([path, site.url + path]);
    expect(contentOf(text, "og:locale")).toBe("en_GB");
    const own = path.replace(/^\/en/, "") || "/";
    const pair = { ko: site.url + own, en: site.url + path, "x-default": site.url + own };
    expect([path, alternatesOf(text)]).toEqual([path, pair]);
    const back = await get(own);
    expect([own, alternatesOf(back.text)]).toEqual([own, pair]);
    expect(back.text).toMatch(new RegExp(`<a [^>]*lang="en"[^>]*href="${path}"|<a [^>]*href="${path}"[^>]*lang="en"`));
    expect([path, contentOf(text, "og:title")]).toEqual([path, /<title>([^<]+)/.exec(text)?.[1]]);
  }
});

/** Search engines may find these, although the sitemap omits them. */
const ACCOUNT_PAGES = ["/Account/Signin", "/Account/Signup", "/Account/FindId", "/Account/FindPassword"];

test.for(ACCOUNT_PAGES)("%s is linked with its English page", { tags: "full" }, async (path, { get, site }) => {
  const pair = { ko: site.url + path, en: `${site.url}/en${path}`, "x-default": site.url + path };
  const [korean, english] = await Promise.all([get(path), get(`/en${path}`)]);
  expect([alternatesOf(korean.text), alternatesOf(english.text)]).toEqual([pair, pair]);
  expect(english.text.match(/<link rel="canonical" href="([^"]+)"/)?.[1]).toBe(pair.en);
  const links = english.text.match(/<a [^>]*>/g)?.filter((tag) => !tag.includes('lang="ko"')) ?? [];
  expect(links.filter((tag) => /href="\/account\//i.test(tag))).toEqual([]);
});

test("the steps of a sign-in on an English page are in English", { tags: "full" }, async ({ get, db, signIn }) => {
  const owner = "(SELECT user_id FROM user_key WHERE user_key_code = 'member01')";
  await db.batch([
    db.prepare(`DELETE FROM user_consent WHERE user_id = ${owner}`),
    db.prepare(
      `INSERT INTO second_factor (id, user_id, kind, name, created_date) SELECT 'x', ${owner}, 'totp', 'App', 1`,
    ),
  ]);
  const read = async (path: string, title: string, cookie: HeadersInit) => {
    const { status, text, title: shown } = await get(path, cookie);
    expect([path, status, shown, hangulOutsideKorean(text)]).toEqual([path, 200, title, []]);
    expect(text).toMatch(/<html lang="en"/);
    return text;
  };
  const pending = await signIn("member01", "Member!2345");
  const { location } = await get("/en/Account/Signin?returnUrl=%2FMypage", pending.cookie);
  expect(location).toBe("/en/Account/SecondFactor?returnUrl=%2FMypage");
  const step = await read("/en/Account/SecondFactor?returnUrl=%2FMypage", "Two-step verification", pending.cookie);
  expect(step).toMatch(/<span lang="ko">김하늘<\/span>, your password is correct\./);

  await db.prepare("DELETE FROM second_factor").run();
  const member = await signIn("member01", "Member!2345");
  const asked = await read("/en/Account/Agreements?returnUrl=%2Fen%2Fcalendar", "Agreements", member.cookie);
  expect(asked).toContain("These terms are the agreement between");
  expect((await get("/en/Account/Signup", member.cookie)).location).toBe("/en");
});

test("the English page of an item says its text is Korean", { tags: "full" }, async ({ get, readSitemap }) => {
  const items = (await readSitemap()).filter((path) => /^\/board\/[^/]+\/View\//.test(path));
  expect(items.length).toBeGreaterThan(90);
  const others = [
    "/en/account/signin?returnUrl=/en/calendar",
    ...ACCOUNT_PAGES.map((path) => `/en${path}`),
    "/en/Account/Signup/Welcome",
    "/en/Account/Password/Process/Success",
    "/en/search",
    "/en/search?keyword=2026",
    "/en/search?keyword=registry",
    "/en/search?keyword=%00&from=x",
  ];
  const lists = ["page=2", "size=50", "sort=title,ASC", "category=%ED%96%89%EC%82%AC", "keyword=2026", "page=9999"];
  const pages = [
    ...items.map((path) => `/en${path}`),
    ...others,
    ...lists.map((query) => `/en/board/notice/List/?${query}`),
  ];
  for (let at = 0; at < pages.length; at += 8) {
    const read = pages.slice(at, at + 8).map(async (path) => {
      const { status, text } = await get(path);
      expect([path, status, /<html lang="(\w+)"/.exec(text)?.[1]]).toEqual([path, 200, "en"]);
      expect([path, hangulOutsideKorean(text)]).toEqual([path, []]);
      if (!path.includes("/View/")) return;
      expect([path, contentOf(text, "robots")]).toEqual([path, "noindex"]);
      expect(text).toMatch(/This post is available in Korean only\. *<a [^>]*href="\/board\/\w+\/View\/\d+"/);
      expect(text).toMatch(/<h1 lang="ko"/);
    });
    await Promise.all(read);
  }
});

test("an item written in English has an English address", async ({ get, db, site }) => {
  await db
    .prepare(
      "UPDATE board_item SET title = 'Call for abstracts', content = '<p>By 1 May</p>' WHERE board_code = 'notice' AND item_no = 7",
    )
    .run();
  // Upper case bypasses the cached page.
  const { text } = await get("/en/Board/Notice/View/7");
  expect(text).not.toContain("available in Korean only");
  expect(text).toContain('"author":{"@type":"Organization","name":"Office"}');
  expect(text.match(/<link rel="canonical" href="([^"]+)"/)?.[1]).toBe(`${site.url}/en/board/notice/View/7`);
  expect(Object.keys(alternatesOf(text))).toEqual(["ko", "en", "x-default"]);
  const tags = text.match(/<(?:a|form) [^>]*>/g)?.filter((tag) => !tag.includes('lang="ko"')) ?? [];
  const links = tags.flatMap((tag) => /(?:href|action)="(\/[^"]*)"/.exec(tag)?.[1] ?? []);
  const inKorean = links.filter((href) => !/^\/(?:en(?:[/?]|$)|api\/|assets\/)/i.test(href));
  expect(inKorean).toEqual([]);
  expect((await get("/Sitemap/notice-1.xml")).text).toContain("/en/board/notice/View/7</loc>");
});

test.for([
  "/en/nothing-here",
  "/en/pid/nothing-here",
  "/en/board/nothing/List/",
  "/en/board/notice/View/99999",
  "/EN/nothing",
])("%s answers 404 in English", async (path, { get }) => {
  const { status, text } = await get(path);
  expect([status, contentOf(text, "robots")]).toEqual([404, "noindex"]);
  expect(text).toMatch(/<html lang="en"[^]*<h1[^>]*>Page not found<\/h1>/);
  expect(text.replace(/<a [^>]*lang="ko"[^>]*>[^<]*<\/a>/g, "").replace(/<script[^]*?<\/script>/g, "")).not.toMatch(
    /[가-힣]/,
  );
});

test("a page without translation says so in English", async ({ get, db }) => {
  await db
    .prepare(
      "UPDATE content_version SET value = json_remove(value, '$.englishTitle', '$.englishContent') WHERE code = 'rules'",
    )
    .run();
  const { status, text } = await get("/en/Research/Rules?preview=");
  expect(status).not.toBe(200);
  const page = await get("/en/Research/Rules");
  expect([page.status, contentOf(page.text, "robots")]).toEqual([200, "noindex"]);
  expect(page.text).toMatch(/<h1[^>]*>This page has not been translated<\/h1>/);
  expect(page.text).toMatch(/<a [^>]*href="\/Research\/Rules"[^>]*>Read it in Korean/);
  expect(page.text).not.toContain('rel="canonical"');
  expect(text).not.toContain("This page has not been translated");
  expect(Object.keys(alternatesOf((await get("/Research/Rules")).text))).toEqual([]);
});

test.for(["/pid/about", "/en/pid/about"])("the years of %s are a timeline", async (path, { get }) => {
  expect((await get(path)).text.match(/class="table-frame timeline"/g)).toHaveLength(1);
});

/** Search engines apply the longest matching rule. */
function isOpenTo(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].filter(([, , prefix = ""]) =>
    path.startsWith(prefix),
  );
  return rules.toSorted((a, b) => (b[2]?.length ?? 0) - (a[2]?.length ?? 0))[0]?.[1] !== "Disallow";
}

test("robots.txt forbids only the calls", { tags: "full" }, async ({ get, readSitemap, site }) => {
  const { text: robots } = await get("/robots.txt");
  for (const path of ["/api/board-item", "/api/user/1", "/Admin", "/Mypage/Info", "/Account/Signin"])
    expect([path, isOpenTo(robots, path)]).toEqual([path, false]);
  const picture = `/api/file/${crypto.randomUUID()}?thumbnail=true&width=640`;
  expect([picture, isOpenTo(robots, picture)]).toEqual([picture, true]);
  const closed = new Set<string>();
  let loads = 0;
  for (const page of await readSitemap()) {
    const { text } = await get(page);
    const loaded = text.matchAll(
      /<(?:img|script|link|meta)\b[^<>]*? (?:src|href|content)="([^"]*\/(?:api|assets|network|hangul)[^"]*)"|"image":"([^"]+)"/g,
    );
    for (const [tag, address = "", image = ""] of loaded) {
      if (tag.startsWith("<link") && /rel="(?:canonical|alternate)"/.test(tag)) continue;
      const path = (address || image).replace(site.url, "");
      loads += 1;
      if (!isOpenTo(robots, path)) closed.add(path);
    }
  }
  expect([...closed]).toEqual([]);
  expect(loads).toBeGreaterThan(10);
});

test("a page is shared with a picture", async ({ admin, get, site }) => {
  const write = async (content: string) => {
    const response = await fetch(`${site.url}/api/board-item/notice`, {
      method: "PUT",
      headers: admin.bearer,
      body: JSON.stringify({ title: "그림이 있는 글", content, fileIds: [] }),
    });
    const { data } = (await response.json()) as { data: { itemNo: number } };
    return `/board/notice/View/${data.itemNo}`;
  };
  const uploaded = new FormData();
  const { "Content-Type": _json, ...bearer } = admin.bearer;
  uploaded.set("file", new Blob([readFileSync("app/public/network-share.png")], { type: "image/png" }), "그림.png");
  const upload = await fetch(`${site.url}/api/board-item/images`, {
    method: "PUT",
    headers: bearer,
    body: uploaded,
  });
  const { data: picture } = (await upload.json()) as { data: { fileId: string } };
  const shared = async (path: string) => contentOf((await get(path)).text, "og:image").replaceAll("&amp;", "&");
  const own = await shared(await write(`<p>글</p><p><img src="/api/file/${picture.fileId}" alt="그림" /></p>`));
  expect(own).toMatch(new RegExp(`^${site.url}/api/file/${picture.fileId}`));
  const answer = await fetch(own);
  expect([answer.status, answer.headers.get("Content-Type")?.split("/")[0]]).toEqual([200, "image"]);
  expect(await shared("/pid/center/seoul")).toBe(`${site.url}/network-share.png`);
  expect(await shared(await write("<p>글</p>"))).toBe(`${site.url}/network-share.png`);
});
