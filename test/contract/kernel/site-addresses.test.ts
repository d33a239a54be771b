import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { isSiteAddress, SITE_CALLS, SITE_PAGES } from "#worker/contract/access/simulation.ts";
import { api } from "#worker/api/app.ts";

interface RouteNode {
  path?: string | undefined;
  children?: readonly RouteNode[] | undefined;
}

const pagesOf = (nodes: readonly RouteNode[], base = ""): string[] =>
  nodes.flatMap(({ path = "", children }) => {
    const whole = [base, path].filter(Boolean).join("/");
    return children ? pagesOf(children, whole) : [whole];
  });

test("the addresses known to the permission check are exactly the pages and calls of the site", () => {
  // Built-in pages have a route each for their address in the specified case.
  const isOwn = (page: string) => !/^(?:en\/)?(?:\*|:product\/(?!center$)\w+)$/.test(page);
  expect([...new Set(pagesOf(routes).filter(isOwn))].toSorted()).toEqual(SITE_PAGES.toSorted());
  const roots = api.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ path }) => path.replace(/^\/api\//, "").split("/"))
    .map(([first = "", second = ""]) => (first === "admin" ? `admin/${second}` : first));
  expect([...new Set(roots)].toSorted()).toEqual(SITE_CALLS.toSorted());
});

test("an address belongs to the site when a page or a call has it", () => {
  for (const path of ["", "/pid/about", "/pid/center/seoul", "/board/notice/write", "/api/board-item/notice/1"])
    expect([path, isSiteAddress(path, "pid")]).toEqual([path, true]);
  for (const path of ["/nothing", "/other/about", "/admin/nothing", "/api/nothing", "/board/notice", "/pid/a/b/c"])
    expect([path, isSiteAddress(path, "pid")]).toEqual([path, false]);
});
