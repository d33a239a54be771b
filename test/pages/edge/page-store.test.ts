/** @module-tag full */
import { expect } from "vitest";
import { startCaseReportStub } from "#worker/local/case-report-stub.ts";
import { expectLog } from "../../support/expected-log.ts";
import { test as pageTest } from "../fixtures.ts";

const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("siteOptions", { scope: "file" }, async ({}, { onCleanup }) => {
    const stub = await startCaseReportStub();
    onCleanup(() => stub.close());
    // A fixed secret, because with random ones a sixteenth of runs confused the two browsers below.
    const SIGNING_SECRET = "test-signing-0123456789abcdef0123456789abcdef";
    return { vars: { CASE_REPORT_URL: stub.url, SIGNING_SECRET } };
  })
  .extend(
    "write",
    ({ site, admin }) =>
      (method: string, path: string, body: object, headers = admin.bearer) =>
        fetch(site.url + path, { method, headers, body: JSON.stringify(body) }),
  )
  .extend("markBehindTheBack", ({ mark }) => async () => {
    const text = `표시${(marks += 1)}`;
    await mark(text);
    return text;
  })
  /** Warms the page, changes the database unnoticed, and tells whether the next guest gets the cached page. */
  .extend("isKept", ({ get, markBehindTheBack }) => async (path: string, headers = {}, method = "GET") => {
    await get(path);
    await get(path);
    const mark = await markBehindTheBack();
    const { text } = await get(path, headers, method);
    return !text.includes(mark);
  })
  .extend("withoutDatabase", ({ db }) => async <T>(work: () => Promise<T>): Promise<T> => {
    expectLog(/no such table: role/);
    await db.exec("ALTER TABLE role RENAME TO role_gone");
    try {
      return await work();
    } finally {
      await db.exec("ALTER TABLE role_gone RENAME TO role");
    }
  })
  .extend(
    "addItem",
    ({ write }) =>
      () =>
        write("PUT", "/api/board-item/notice", { title: "하나 더", content: "<p>본문</p>", fileIds: [] }),
  );
let marks = 0;
// Caches the subject counts first, because without them the home page expires early.
test.beforeAll(async ({ get }) => void (await get("/pid/residence")));

test("every page of the sitemap is served from the edge", async ({ get, readSitemap, markBehindTheBack }) => {
  const sitemap = await readSitemap();
  const views = sitemap.filter((path) => path.includes("/View/"));
  const paths = [
    ...sitemap.filter((path) => !views.includes(path)),
    ...views.slice(0, 2),
    "/sitemap.xml",
    "/sitemap/pages.xml",
    "/sitemap/notice-1.xml",
  ];
  expect(paths.length).toBeGreaterThan(25);
  for (const path of [
    ...paths,
    "/terms?version=1",
    "/board/notice/List/?page=2",
    "/_.data",
    "/TOS/Content/TermsContent",
  ])
    await get(path);
  const mark = await markBehindTheBack();
  for (const path of paths) expect([path, (await get(path)).text.includes(mark)]).toEqual([path, false]);
  for (const path of ["/terms?version=1", "/board/notice/List/?page=2", "/_.data", "/TOS/Content/TermsContent"])
    expect([path, (await get(path)).text.includes(mark)]).toEqual([path, false]);
});

test.for([
  "/Account/Signin",
  "/Account/Signup",
  "/search?keyword=안내",
  "/search",
  "/board/notice/List/?keyword=안내",
  "/board/notice/List/?showItemToMain=true",
  "/board/%6eotice/List/",
])("%s does not", async (path, { isKept }) => {
  expect(await isKept(path)).toBe(false);
});

test.for<[strange: string, plain: string]>([
  ["/?utm_source=mail&utm_medium=mail", "/"],
  ["/pid/about/?x=1&x=2", "/pid/about/"],
  ["/board/notice/View/60?gclid=a&category=", "/board/notice/View/60?category="],
  ["/board/notice/List/?fbclid=Iw.a&size=10&page=2", "/board/notice/List/?page=2&size=10"],
  [`/terms?version=1&x=${"y".repeat(501)}`, "/terms?version=1"],
  ["/_.data?utm_source=mail", "/_.data"],
  ["/?preview=1", "/"],
  ["/board/notice/List/?page=1&page=2", "/board/notice/List/?page=1"],
])(
  "an unread parameter neither bypasses the cache nor enters the page: %#",
  async ([strange, plain], { db, get, write, markBehindTheBack }) => {
    const mark = await markBehindTheBack();
    const { results } = await db
      .prepare("SELECT region_code AS code FROM center ORDER BY sort_order")
      .all<{ code: string }>();
    const codes = results.map(({ code }) => code);
    expect((await write("POST", "/api/admin/center/order", { codes })).status).toBe(200);
    const first = await get(strange);
    expect([first.status, first.text.includes(mark)]).toEqual([200, true]);
    expect(first.text).not.toMatch(/utm_|fbclid|gclid|yyyyy|x=1/);
    await markBehindTheBack();
    for (const path of [plain, strange, `${strange}${strange.includes("?") ? "&" : "?"}fbclid=${crypto.randomUUID()}`])
      expect([path, (await get(path)).text.includes(mark)]).toEqual([path, true]);
  },
);

test("forty concurrent readers all get a new edit", async ({ db, site, get, write, addItem, markBehindTheBack }) => {
  const comeAtOnce = () =>
    Promise.all(
      Array.from({ length: 40 }, () => fetch(`${site.url}/board/notice/List/`).then((response) => response.text())),
    );
  const other = ["/board/reference/List/", "/pid/about"];
  for (const path of ["/board/notice/List/", ...other]) await get(path);
  const mark = await markBehindTheBack();
  expect((await addItem()).status).toBe(200);
  expect((await comeAtOnce()).every((page) => page.includes("하나 더"))).toBe(true);
  const version = await db
    .prepare("SELECT version FROM board_item WHERE board_code = 'notice' AND item_no = 60")
    .first<number>("version");
  expect((await write("PATCH", "/api/board-item/notice/60", { title: "고친 제목", version })).status).toBe(200);
  expect((await comeAtOnce()).every((page) => page.includes("고친 제목"))).toBe(true);
  for (const path of other) expect([path, (await get(path)).text.includes(mark)]).toEqual([path, false]);
});

test("an address of slashes alone is the home page", async ({ get }) => {
  for (const path of ["//", "//?fbclid=x", "///"]) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test("a page that a guest cannot open is not cached", async ({ db, get, markBehindTheBack }) => {
  expectLog(/"code":"(?:READ|UPSTREAM_UNAVAILABLE)","cause":"Error: D1_ERROR: no such table: center/);
  for (const path of [
    "/Mypage",
    "/Alumni",
    "/Admin",
    "/board/free/List/",
    "/pid/about?preview=1&fbclid=x",
    "/terms?preview",
    "/nothing-here",
    "/board/notice/View/999999",
  ]) {
    const first = await get(path);
    const mark = await markBehindTheBack();
    const again = await get(path);
    expect([path, first.status >= 300, again.status]).toEqual([path, true, first.status]);
    if (again.status !== 302) expect(again.text, `${path}`).toContain(mark);
  }
  await db.exec("ALTER TABLE center RENAME TO center_gone");
  expect((await get("/pid/CENTER/seoul")).status).toBe(503);
  await db.exec("ALTER TABLE center_gone RENAME TO center");
  expect((await get("/pid/CENTER/seoul")).status).toBe(200);
});

test("a page from the edge needs no database", async ({ db, get }) => {
  expectLog(/"code":"(?:READ|UPSTREAM_UNAVAILABLE)","cause":"Error: D1_ERROR: no such table: session/);
  await get("/pid/target");
  await get("/board/notice/View/60");
  await db.exec("ALTER TABLE session RENAME TO session_gone");
  const answers = [await get("/pid/target"), await get("/board/notice/View/60"), await get("/pid/target?preview")];
  await db.exec("ALTER TABLE session_gone RENAME TO session");
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
});

test("only a page from the edge names its cache", async ({ get, member }) => {
  for (const headers of [{}, member.cookie]) {
    await get("/pid/target", headers);
    expect((await get("/pid/target", headers)).headers.get("Cache-Status")).toBe("pages; hit");
    expect((await get("/search", headers)).headers.get("Cache-Status")).toBeNull();
  }
});

const OTHERS: Record<string, string>[] = [
  {},
  { Cookie: "theme=dark" },
  { "Accept-Language": "en" },
  { "User-Agent": "x" },
];

test.for(["/", "/board/notice/List/", "/board/notice/View/59", "/_.data"])(
  "%s gives their own page only to the signed-in person",
  async (path, { get, member }) => {
    const name = "김하늘";
    const fresh = `${path}?page=1`;
    for (const address of path.startsWith("/board") ? [fresh, path] : [path]) {
      expect((await get(address, member.cookie)).text, `${address}`).toContain(name);
      for (const headers of OTHERS)
        expect((await get(address, headers)).text, JSON.stringify(headers)).not.toContain(name);
      expect((await get(address, member.cookie)).text, `${address}`).toContain(name);
      expect((await get(address, { Cookie: `a=b; ${member.cookie.Cookie}; c=d` })).text, `${address}`).toContain(name);
      const again = await get(address);
      expect(again.text, `${address}`).not.toContain(name);
      expect(again.headers.get("Cache-Control"), address).toBe("private, no-store, no-transform");
    }
  },
);

test("no method, case, slash, host or forged session leads to another page", async ({ site, get, member }) => {
  const name = "김하늘";
  for (const path of ["/board/notice/List", "/BOARD/notice/LIST/", "/board/notice/list.data", "//board/notice/List/"]) {
    const mine = await get(path, member.cookie);
    if (mine.status === 200) expect([path, mine.text.includes(name)]).toEqual([path, true]);
    expect((await get(path)).text, `${path}`).not.toContain(name);
  }
  expect((await get("/board/notice/List/", member.cookie, "HEAD")).text).toBe("");
  expect((await get("/board/notice/List/", {}, "HEAD")).headers.get("Cache-Control")).toBe(
    "private, no-store, no-transform",
  );
  const forged: Record<string, string>[] = [
    { Cookie: "accessToken=" },
    { Cookie: "accessToken=forged.token.value" },
    { Authorization: "Bearer forged" },
    { Authorization: member.bearer.Authorization ?? "" },
  ];
  for (const headers of forged)
    expect((await get("/board/notice/List/", headers)).text, JSON.stringify(headers)).not.toContain(name);
  const elsewhere = await site.mf.dispatchFetch("http://127.0.0.1/pid/about", {
    headers: { "X-Forwarded-Host": "evil.example" },
  });
  const text = await elsewhere.text();
  expect(text).not.toContain("evil.example");
  const here = await get("/pid/about", { "X-Forwarded-Host": "evil.example", "X-Original-URL": "/Admin" });
  expect(here.text).toContain(`<link rel="canonical" href="${site.url}/pid/about"/>`);
});

test("every answer has a unique nonce, which only its scripts carry", async ({ get }) => {
  const seen = new Set<string>();
  for (let n = 0; n < 40; n += 1) {
    const { headers, text } = await get("/board/reference/List/");
    const nonce = /'nonce-([0-9a-f]{32})'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
    seen.add(nonce);
    const scripts = (text.match(/<script(?![^>]*ld\+json)[^>]*>/g) ?? []).filter((tag) => !tag.includes(" src="));
    expect(scripts.length, `${n}`).toBeGreaterThan(0);
    expect(
      scripts.every((tag) => tag.includes(`nonce="${nonce}"`)),
      `${n}`,
    ).toBe(true);
    expect(new Set(text.match(/[0-9a-f]{32}(?=")/g)), `${n}`).toEqual(new Set([nonce]));
  }
  expect(seen.size).toBe(40);
});

test("an old nonce inside a text stays text", async ({ get, write }) => {
  const { headers } = await get("/board/notice/View/60");
  const old = /'nonce-([0-9a-f]{32})'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "";
  const created = await write("PUT", "/api/board-item/notice", {
    title: `nonce ${old}`,
    content: `<p>nonce="${old}" <script nonce="${old}">alert(1)</script></p>`,
    fileIds: [],
  });
  const { data } = (await created.json()) as { data: { itemNo: number } };
  for (let n = 0; n < 3; n += 1) {
    const { text, headers: own } = await get(`/board/notice/View/${data.itemNo}`);
    expect(text, `${n}`).toContain(`nonce ${old}`);
    expect(text, `${n}`).not.toContain("alert(1)");
    expect(own.get("Content-Security-Policy"), `${n}`).not.toContain(old);
  }
});

test("a write through the site is visible at once", async ({ get, signIn, write }) => {
  const writer = await signIn("admin", "Admin!2345");
  await get("/");
  await get("/board/notice/List/");
  const created = await write(
    "PUT",
    "/api/board-item/notice",
    { title: "방금 올린 글", content: "<p>본문</p>", showItemToMain: true, fileIds: [] },
    writer.bearer,
  );
  const { data } = (await created.json()) as { data: { itemNo: number } };
  await write("POST", "/api/user/signout", {}, writer.bearer);
  for (const path of ["/", "/board/notice/List/", "/sitemap/notice-1.xml", "/board/notice/rss.xml"])
    expect([
      path,
      (await get(path)).text.includes(path.startsWith("/sitemap") ? `View/${data.itemNo}<` : "방금 올린 글"),
    ]).toEqual([path, true]);
  await get(`/board/notice/View/${data.itemNo}`);
  await write("DELETE", `/api/board-item/notice/${data.itemNo}`, {});
  expect((await get(`/board/notice/View/${data.itemNo}`)).status).toBe(404);
  expect((await get("/board/notice/List/")).text).not.toContain("방금 올린 글");
});

test("a page with a known change time is rendered then", async ({ site, get, write, mark }) => {
  const { KV } = await site.mf.getBindings<Pick<Env, "KV">>();
  await KV.delete("case-report:counts");
  const list = async () => (await get("/board/notice/List/")).text;
  const start = new Date(Date.now() + 15_000);
  const created = await write("PUT", "/api/board-item/notice", {
    title: "곧 보일 글",
    content: "<p>본문</p>",
    publishDate: start.toISOString(),
    fileIds: [],
  });
  expect(created.status).toBe(200);
  const home = async () => (await get("/")).text;
  expect((await list()).includes("곧 보일 글")).toBe(false);
  await home();
  await mark("표시는 나중에");
  expect((await list()).includes("표시는 나중에")).toBe(false);
  // Without the subject counts the home page is cached for five seconds.
  for (const look of [list, home])
    await expect.poll(look, { timeout: 60_000, interval: 500 }).toContain("표시는 나중에");
  expect(await list()).toContain("곧 보일 글");
});

test("a view from the edge counts once a day", async ({ db, get }) => {
  const path = "/board/reference/View/5";
  const count = async () =>
    (await db
      .prepare("SELECT view_count AS n FROM board_item WHERE board_code = 'reference' AND item_no = 5")
      .first<number>("n")) ?? -1;
  await get(path, { "User-Agent": "Googlebot/2.1" });
  const before = await count();
  const visit = (agent: string) => get(path, { "User-Agent": `Mozilla/5.0 (X11; Linux x86_64) ${agent}` });
  await visit("one");
  await visit("one");
  await visit("two");
  await visit("two");
  await get(path, { "User-Agent": "Googlebot/2.1" });
  await expect.poll(count).toBe(before + 2);
  await visit("one");
  expect(await count()).toBe(before + 2);
});

test("a viewed page is filled again instead of rendered", async ({ db, get, mark, write }) => {
  const uncounted = { "User-Agent": "Googlebot/2.1" };
  const paths = ["/board/reference/List/", "/board/reference/List.data", "/board/reference/View/8"];
  for (const path of paths) await get(path, uncounted);
  await mark("조회 표시");
  await db.exec("UPDATE board_item SET view_count = 50000 WHERE board_code = 'reference'");
  // Any write lets this place read the stamps.
  await write("PUT", "/api/board-item-comment/notice/58", { content: "댓글" });
  for (const path of paths) {
    const { text, headers } = await get(path, uncounted);
    const shown = path.endsWith(".data") ? ",50000," : "50,000</";
    expect([path, headers.has("Cache-Status"), text.includes(shown), text.includes("조회 표시")]).toEqual([
      path,
      true,
      true,
      false,
    ]);
  }
});

test("a stale page without the database says so", async ({ get, member, write, withoutDatabase, addItem }) => {
  for (const path of ["/board/notice/List/", "/board/notice/View/58", "/board/notice/rss.xml"]) await get(path);
  await addItem();
  await write("PUT", "/api/board-item-comment/notice/58", { content: "댓글" });
  const [list, view, feed, data, own] = await withoutDatabase(() =>
    Promise.all([
      get("/board/notice/List/"),
      get("/board/notice/View/58"),
      get("/board/notice/rss.xml"),
      get("/board/notice/List.data"),
      get("/board/notice/List/", member.cookie),
    ]),
  );
  expect([list.status, view.status, feed.status]).toEqual([200, 200, 200]);
  for (const { text, headers } of [list, view]) {
    expect(text).toMatch(/<body[^>]*><p id="stale-page" role="status">지금은 새 내용을 불러올 수 없어 2\d{3}-/);
    expect(headers.get("Content-Security-Policy")).toContain(/nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? "none");
  }
  expect(feed.text).not.toContain("stale-page");
  expect([data.status, own.status]).toEqual([503, 503]);
  expect(own.text).not.toContain("stale-page");
  await expect.poll(async () => (await get("/board/notice/List/")).text.includes("stale-page")).toBe(false);
});

test("a deleted item is in no stale page", async ({ get, write, withoutDatabase, addItem }) => {
  const created = (await (await addItem()).json()) as { data: { itemNo: number } };
  const path = `/board/notice/View/${created.data.itemNo}`;
  expect((await get(path)).text).toContain("하나 더");
  await write("DELETE", `/api/board-item/notice/${created.data.itemNo}`, {});
  const { status, text } = await withoutDatabase(() => get(path));
  expect([status, text.includes("하나 더")]).toEqual([503, false]);
});
