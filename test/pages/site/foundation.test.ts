import { type IncomingHttpHeaders, request } from "node:http";
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { expectLog } from "../../support/expected-log.ts";
import { test } from "../fixtures.ts";

test("the home page shows the six newest items without script", async ({ get }) => {
  const html = (await get("/")).text;
  expect(html).toContain('<html lang="ko"');
  const notices = [...html.matchAll(/href="\/board\/notice\/View\/(\d+)/g)].map(([, itemNo]) => Number(itemNo));
  expect(notices).toEqual(expect.arrayContaining([60, 59, 58, 57]));
  expect(new Set(notices).size).toBeGreaterThanOrEqual(6);
  expect(html.match(/href="\/board\/reference\/View\//g)).toHaveLength(6);
  expect(html).toContain("새 글");
});

test("pages have a strict CSP with a unique nonce", async ({ get }) => {
  const first = await get("/");
  const second = await get("/board/notice/List/");
  const policy = first.headers.get("Content-Security-Policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  expect(policy).toMatch(/script-src 'self' 'nonce-/);
  expect(/script-src[^;]*unsafe/.test(policy)).toBe(false);
  expect(second.headers.get("Content-Security-Policy")).not.toContain(nonce);
  const html = first.text;
  // JSON-LD is data and needs no nonce.
  const inline = (html.match(/<script(?![^>]*\bsrc=)[^>]*>/g) ?? []).filter(
    (tag) => !tag.includes("application/ld+json"),
  );
  expect(inline.length).toBeGreaterThan(0);
  expect(inline.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
  expect(first.headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test("the page of a signed-in member is not stored", async ({ get, member }) => {
  const response = await get("/", member.cookie);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store, no-transform");
  expect(response.text).toContain("김하늘");
});

test("the access token's cookie is closed to scripts", async ({ member }) => {
  expect(member.setCookie).toMatch(/^accessToken=.+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/);
});

test.for([
  ["/board/free/List/?page=2", "/account/signin"],
  ["/en/board/free/List/?page=2", "/en/account/signin"],
] as const)("%s, a page for members, sends a guest to %s first", async ([path, signin], { get }) => {
  const response = await get(path);
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe(`${signin}?returnUrl=${encodeURIComponent(path)}`);
});

test("signing in from an English page returns to the English pages", async ({ get, member }) => {
  const locationOf = async (path: string) => (await get(path, member.cookie)).headers.get("Location");
  expect(await locationOf("/en/Account/Signin")).toBe("/en");
  expect(await locationOf("/en/Account/Signin?returnUrl=%2Fen%2Fcalendar")).toBe("/en/calendar");
  expect(await locationOf("/en/Account/Signin?returnUrl=%2Fen%2FAccount%2FSignin")).toBe("/");
  const { text } = await get("/en/board/notice/View/60", member.cookie);
  expect(text).toContain("Posting, commenting, following and managing are done on the Korean page.");
  expect(text).not.toContain("<textarea");
});

test.for(["/nothing-here", "/board/none/List/", "/board/notice/View/999999", "/board/notice/View/abc", "/other/about"])(
  "%s is a Korean page with 404",
  async (path, { get }) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    const html = response.text;
    expect(html).toContain("홈으로");
    expect(html).toContain('<html lang="ko"');
  },
);

test("a path matches in any case", async ({ site, get }) => {
  for (const path of ["/board/notice/List/", "/Board/notice/list", "/BOARD/notice/LIST/"]) {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    expect(response.text, path).toContain(`<link rel="canonical" href="${site.url}/board/notice/List/"`);
  }
});

test.for([
  ["/%61ccount/SignIn", 200],
  ["/%4DYPAGE/Info", 302],
  ["/account%2Fsignin", 404],
  ["//account/signin", 404],
  ["/account.x/signin", 404],
] as const)("%s is found by its decoded first part: %i", async ([path, status], { get }) => {
  expect((await get(path)).status).toBe(status);
});

test("health tells anyone whether the site answers", async ({ get }) => {
  const response = await get("/health");
  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toEqual({ status: "ok", database: "ok" });
});

test("the outbox is available on this machine alone", async ({ site, get }) => {
  expectLog(/"path":"\/dev\/outbox","code":"CONFIG"/);
  expect((await get("/dev/outbox")).status).toBe(200);
  const elsewhere = await site.mf.dispatchFetch("https://www.example.kr/dev/outbox");
  expect(elsewhere.status).toBe(503);
});

const ODD_PATHS = [
  "//evil.example",
  "//evil.example/Mypage",
  "/%5cevil.example",
  "/%2f%2fevil.example",
  "/foo//evil.example",
  "/Mypage//evil.example",
  "/%0d%0aLocation:%20https:%2f%2fevil.example",
  "/%00",
  "/%",
  "/%ff",
  "/%ED%A0%80",
  "/..%2f..%2fetc/passwd",
  "/%2e%2e%2fMypage",
  "/board/..%2f/List/",
  "/board/notice/View/%EF%BC%91",
  "/board/notice/View/1%00",
  "/board/notice/View/99999999999999999999",
  "/board/notice/List/?page=1&page=2",
  "/board/notice/List/?sort=%00",
  "/Admin//evil.example",
  "/__manifest?p=%2F%2Fevil.example",
  "/_root.data?_routes=%00",
  "/.env",
  "/.git/config",
  `/${"a".repeat(7000)}`,
];
test("an odd path redirects nowhere else", async ({ site }) => {
  // Paths with the length of a token are left out of the log.
  expectLog(/"path":"\/\*\/?","code":"PAGE"/, /malformed URL segment/);
  const odd = ODD_PATHS.flatMap((path) => [path, `${path.split("?")[0]}/`]);
  for (const path of odd) {
    // A raw request, because fetch would normalize the path.
    const response = await rawGet(site, path);
    const at = path.slice(0, 60);
    expect([at, response.status < 500], path).toEqual([at, true]);
    expect([at, Boolean(response.headers["cache-control"])], path).toEqual([at, true]);
    expect([at, response.headers.location ?? "/"], path).toEqual([at, expect.stringMatching(/^\/(?![/\\])/)]);
  }
});

function rawGet(site: RunningSite, path: string): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(site.url);
    request({ hostname, port, path, method: "GET" }, (response) => {
      response.resume();
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .on("error", fail)
      .end();
  });
}

test("a page requested with an unknown method is refused without an error", async ({ site }) => {
  expectLog(/"path":"\/","code":"PAGE"/);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await fetch(`${site.url}/`, { method });
    expect(response.status, method).toBeGreaterThanOrEqual(400);
    expect(response.status, method).toBeLessThan(500);
    expect(response.headers.get("Cache-Control"), method).toBeTruthy();
  }
});
