import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { sharedAddress } from "#worker/edge/shared-page.ts";
import { CALLS } from "./calls/calls.ts";
import { EXEMPT_ROUTES, LEAK_SURFACES } from "./calls/leak-surfaces.ts";

type Route = (typeof routes)[number];
const pages = (list: readonly Route[], parent = ""): string[] =>
  list.flatMap((route) => {
    const path = [parent, route.path].filter(Boolean).join("/");
    return [`page ${path || "/"}`, ...pages(route.children ?? [], path)];
  });
// A search reads by POST, because its words are in the body.
const reading = Object.keys(CALLS).filter((call) => call.startsWith("GET ") || call === "POST /api/board-item/search");
const all = [...new Set([...reading, ...pages(routes)])];
const exempt = Object.values(EXEMPT_ROUTES).flat();

test("every reading route is in the leak matrix or exempted", () => {
  const covered = new Set(Object.values(LEAK_SURFACES));
  expect(all.filter((route) => !covered.has(route) && !exempt.some((start) => route.startsWith(start)))).toEqual([]);
});

test("the matrix names only existing routes", () => {
  expect([...new Set(Object.values(LEAK_SURFACES))].filter((route) => !all.includes(route))).toEqual([]);
  expect(exempt.filter((start) => !all.some((route) => route.startsWith(start)))).toEqual([]);
});

test("no exemption covers a route of items or files of a board", () => {
  const hidden = all.filter((route) => exempt.some((start) => route.startsWith(start)));
  const made = ["GET /api/board-item-file/upload-url", "GET /api/file/upload-url"];
  const others = ["GET /api/alumni/:id/file/:code", ...made];
  expect(
    hidden.filter((route) => /board-item|\/file|page (?:en\/)?(?:board|search|calendar)/.test(route)).toSorted(),
  ).toEqual(others);
});

test("only a page equal for every guest is cached", () => {
  const isShared = (page: string) => {
    const url = new URL(page.slice("page ".length).replace(/:\w+\??/g, "abc"), "http://localhost/");
    return sharedAddress(new Request(url), url) !== null;
  };
  const open = /^page (?:\/|:product\/.*|research\/\w+|board\/:boardCode\/(?:list|rss\.xml|calendar\.ics))$/;
  const alone = ["registry", "terms", "privacy", "calendar", "sitemap", "sitemap.xml", "robots.txt"];
  const texts = ["tos/content/privacycontent", "tos/content/termscontent"];
  const named = [...alone, ...texts].map((path) => `page ${path}`);
  const shared = pages(routes).filter(isShared);
  // An English page is as public as its Korean one.
  const korean = shared.map((page) => page.replace(/^page en(?=\/|$)\/?/, "page ").replace(/^page $/, "page /"));
  expect(korean.filter((page) => !open.test(page) && !named.includes(page))).toEqual([]);
  // Its rows change by decisions, which no stamp knows.
  expect(shared).not.toContain("page research/projects");
  expect(shared.length).toBeGreaterThan(10);
});
