import { describe, expect, test } from "vitest";
import { noteDestination, signinWithHash, withRestoredHash } from "#app/lib/destination.ts";
import { safeReturnUrl, secondFactorPathFor, signinPathFor } from "#app/lib/return-url.ts";
import routes from "#app/routes.ts";
import { isSiteAddress, SITE_CALLS, SITE_PAGES } from "#worker/contract/access/simulation.ts";
import { api } from "#worker/api/app.ts";

describe("returnUrl", () => {
  test.each([
    "/",
    "/Mypage/Info",
    "/board/notice/View/3?page=2&keyword=%EB%A9%B4%EC%97%AD#comments",
    "/search?next=//evil.example",
    "/center/%EC%84%9C%EC%9A%B8",
  ])("is followed within the site: %s", (value) => {
    expect(safeReturnUrl(value)).toBe(value);
  });

  test.each([
    null,
    undefined,
    "",
    "Mypage",
    "https://evil.example/",
    "http:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "\u0000//evil.example",
    "%2F%2Fevil.example",
    "/%2Fevil.example",
    "/%2f%2fevil.example",
    "/%5Cevil.example",
    "/%255Cevil.example",
    "/%252Fevil.example",
    "/%09/evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/./%2e/..//evil.example",
    "/%ff",
    "//user@evil.example",
    "https:/evil.example",
  ])("leads home if it could leave the site: %j", (value) => {
    expect(safeReturnUrl(value)).toBe("/");
  });

  test("does not return to the sign-in page", () => {
    expect(safeReturnUrl("/Account/Signin?returnUrl=%2FMypage")).toBe("/");
  });

  test.each([
    ["/Mypage/Info.data", "/Mypage/Info"],
    ["/alumni/list.data?page=2&_routes=routes%2Falumni%2Flist", "/alumni/list?page=2"],
    ["/board/free/List/_.data", "/board/free/List"],
    ["/_root.data", "/"],
    ["/_.data?_routes=root", "/"],
    ["/en.data#main", "/en#main"],
    ["/api/user/1", "/"],
    ["/__manifest?paths=/", "/"],
  ])("names the page of %s without its data", (value, page) => {
    expect(safeReturnUrl(value)).toBe(page);
  });

  test("restores the URL fragment that the server did not receive", () => {
    noteDestination({ pathname: "/board/free/View/1", search: "?page=2", hash: "#comment-7" });
    noteDestination({ pathname: "/account/signin", search: "?returnUrl=%2F", hash: "" });
    expect(withRestoredHash("/board/free/View/1?page=2", "")).toBe("/board/free/View/1?page=2#comment-7");
    expect(withRestoredHash("/board/free/View/1?page=2", "#main")).toBe("/board/free/View/1?page=2#main");
    expect(withRestoredHash("/board/free/View/2", "")).toBe("/board/free/View/2");
    expect(withRestoredHash("/a#b", "#main")).toBe("/a#b");
  });

  test("the sign-in page's address carries the fragment of the page left", () => {
    const shown = { href: "https://a.kr/Mypage/Info?a=1#main", hash: "#main" };
    noteDestination({ pathname: "/Mypage/Info", search: "?a=1", hash: "#main" });
    const signin = `https://a.kr${signinPathFor("/Mypage/Info?a=1", "ko")}`;
    const complete = signinPathFor("/Mypage/Info?a=1#main", "ko");
    expect(signinWithHash(signin, shown)).toBe(complete);
    expect(signinWithHash(`https://a.kr${complete}`, shown)).toBe(null);
    expect(signinWithHash(`https://a.kr${signinPathFor("/Mypage", "ko")}`, shown)).toBe(null);
    expect(signinWithHash("https://a.kr/Account/Signup?returnUrl=%2FMypage%2FInfo%3Fa%3D1", shown)).toBe(null);
  });

  test("the sign-in page takes its own fragment along", () => {
    const signin = `https://a.kr${signinPathFor("/Mypage", "en")}`;
    const shown = { href: `${signin}#main`, hash: "#main" };
    expect(signinWithHash(signin, shown)).toBe(signinPathFor("/Mypage#main", "en"));
  });

  test("is encoded completely in the address of the sign-in page", () => {
    expect(signinPathFor("/search?keyword=면역&page=2", "ko")).toBe(
      "/account/signin?returnUrl=%2Fsearch%3Fkeyword%3D%EB%A9%B4%EC%97%AD%26page%3D2",
    );
    expect(secondFactorPathFor("/Mypage", "en")).toBe("/en/Account/SecondFactor?returnUrl=%2FMypage");
  });
});

interface RouteNode {
  path?: string | undefined;
  children?: readonly RouteNode[] | undefined;
}

const pagesOf = (nodes: readonly RouteNode[], base = ""): string[] =>
  nodes.flatMap(({ path = "", children }) => {
    const whole = [base, path].filter(Boolean).join("/");
    return children ? pagesOf(children, whole) : [whole];
  });

test("the permission check knows exactly the addresses of the site", () => {
  // Built-in pages have a route each for their address in the specified case.
  const isOwn = (page: string) => !/^(?:en\/)?(?:\*|:product\/(?!center$)\w+)$/.test(page);
  expect([...new Set(pagesOf(routes).filter(isOwn))].toSorted()).toEqual(SITE_PAGES.toSorted());
  const roots = api.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ path }) => path.replace(/^\/api\//, "").split("/"))
    .map(([first = "", second = ""]) => (first === "admin" ? `admin/${second}` : first));
  expect([...new Set(roots)].toSorted()).toEqual(SITE_CALLS.toSorted());
});

test("an address with a page or a call belongs to the site", () => {
  for (const path of ["", "/pid/about", "/pid/center/seoul", "/board/notice/write", "/api/board-item/notice/1"])
    expect([path, isSiteAddress(path, "pid")]).toEqual([path, true]);
  for (const path of ["/nothing", "/other/about", "/admin/nothing", "/api/nothing", "/board/notice", "/pid/a/b/c"])
    expect([path, isSiteAddress(path, "pid")]).toEqual([path, false]);
});
