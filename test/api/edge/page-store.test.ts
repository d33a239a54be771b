import { afterEach, expect, test, vi } from "vitest";
import { fillPlaces, placesOf } from "#worker/edge/places.ts";
import { pageScopes, traceOfWrite, type WriteTrace } from "#worker/edge/page-scope.ts";
import { findStoredPage, markStale, storePage, recordWrite } from "#worker/edge/page-store.ts";
import { sharedAddress } from "#worker/edge/shared-page.ts";
import { takeTurn } from "#worker/edge/single-flight.ts";
import { requirePresent } from "../../support/require-present.ts";
import { CALLS } from "../../calls/calls.ts";

afterEach(() => vi.useRealTimers());

const REMOVAL: WriteTrace = { scopes: ["site"], isAddition: false };
/** What a call of this method and path writes, as the Worker sees it. */
const traceOf = (method: string, path: string) =>
  traceOfWrite(new Request(`http://localhost${path}`, { method }), address(path), 200);

const address = (path: string) => new URL(`http://localhost${path}`);

const keep = async (url: URL) => keepAsFound(url, await findStoredPage(url));

/** As a render does that began when the page was looked for. */
async function keepAsFound(url: URL, { stamp, writes }: Awaited<ReturnType<typeof findStoredPage>>): Promise<void> {
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await storePage(
    url,
    { body, headers: { "Content-Type": "text/html" }, places: [], stamp, renderedMs: Date.now() },
    50,
    writes,
  );
}

test("a kept page is found until something is written", async () => {
  const url = address("/pid/about");
  await keep(url);
  expect((await findStoredPage(url)).kept).not.toBeNull();
  await recordWrite(url, REMOVAL);
  expect((await findStoredPage(url)).kept).toBeNull();
});

test("who looks while a write is being noted does not keep the old page at hand for those after it", async () => {
  for (const warm of [true, false]) {
    const url = address(`/pid/target?${warm}`);
    const other = address(`/pid/center?${warm}`);
    await keep(url);
    await keep(other);
    if (warm) await findStoredPage(url);
    const noted = recordWrite(url, REMOVAL);
    const looks = Array.from({ length: 20 }, async () => (await Promise.resolve(), findStoredPage(url)));
    await noted;
    expect((await findStoredPage(url)).kept, `${warm}`).toBeNull();
    expect((await findStoredPage(other)).kept, `${warm}`).toBeNull();
    await Promise.all(looks);
    expect((await findStoredPage(url)).kept, `${warm}`).toBeNull();
  }
});

test("a page that was rendered before a write is not served after it, though it is kept later", async () => {
  const url = address("/research/rules");
  const found = await findStoredPage(url);
  await recordWrite(url, REMOVAL);
  await keepAsFound(url, found);
  expect((await findStoredPage(url)).kept).toBeNull();
});

test("a page is kept with its query: another one is another page, also at hand", async () => {
  const url = address("/board/notice/List?page=1");
  await keep(url);
  await findStoredPage(url);
  for (const other of ["/board/notice/List?page=2", "/board/notice/List", "/board/notice/List?page=1&category=a"])
    expect((await findStoredPage(address(other))).kept, other).toBeNull();
  expect((await findStoredPage(url)).kept).not.toBeNull();
});

test("an old page stands in for an hour, unless something may have been taken away since", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = address("/board/reference/list");
  const added = requirePresent(traceOf("PUT", "/api/board-item/reference"));
  await keep(url);
  await recordWrite(url, added);
  const after = await findStoredPage(url);
  expect([after.kept, after.stale === null]).toEqual([null, false]);
  vi.setSystemTime(Date.now() + 51_000);
  const { kept, stale } = await findStoredPage(url);
  expect([kept, stale === null]).toEqual([null, false]);
  await recordWrite(url, requirePresent(traceOf("DELETE", "/api/board-item/reference/1")));
  await recordWrite(url, added);
  expect((await findStoredPage(url)).stale).toBeNull();
});

test("an old page says its age as its first words, and its nonces stay in their places", () => {
  const token = "0".repeat(32);
  const html = `<html><head><script nonce="${token}"></script></head><body class="a"><main>본문</main><script nonce="${token}"></script></body></html>`;
  const body = new TextEncoder().encode(html).buffer;
  const page = { body, headers: { "Content-Type": "text/html; charset=utf-8" }, stamp: "", renderedMs: 0 };
  const marked = markStale({ ...page, places: placesOf(body, { nonce: token }) });
  const text = new TextDecoder().decode(fillPlaces(marked, { nonce: "f".repeat(32) }));
  expect(text).toMatch(/<body class="a"><p id="stale-page" role="status">지금은 .* 1970-01-01 09:00의 화면/);
  expect(text.split(`nonce="${"f".repeat(32)}"`)).toHaveLength(3);
  const feed = { ...page, headers: { "Content-Type": "application/rss+xml" }, places: [] };
  expect(markStale(feed)).toBe(feed);
});

const BOARD_PAGES = [
  "/sitemap/notice-1.xml",
  "/board/notice/List/",
  "/board/notice/View/5",
  "/board/notice/rss.xml",
  "/board/notice/List.data",
];
const OTHER_BOARD = ["/sitemap/reference-1.xml", "/board/reference/List/", "/board/reference/View/5/_.data"];
const HOME_PAGES = ["/", "//", "/_.data"];
const PLAIN_PAGES = ["/sitemap/pages.xml", "/pid/about", "/terms?version=1"];

test.each<[call: string, dropped: string[], kept: string[]]>([
  ["PUT /api/board-item/notice", [...BOARD_PAGES, ...HOME_PAGES, "/sitemap.xml"], [...OTHER_BOARD, ...PLAIN_PAGES]],
  ["PATCH /api/board-item/notice/5", [...BOARD_PAGES, ...HOME_PAGES, "/sitemap.xml"], [...OTHER_BOARD, ...PLAIN_PAGES]],
  ["DELETE /api/board-item/bin/notice", BOARD_PAGES, OTHER_BOARD],
  ["PUT /api/board-item-comment/notice/5", BOARD_PAGES, OTHER_BOARD],
  ["POST /api/admin/report/notice/5", BOARD_PAGES, OTHER_BOARD],
  ["POST /api/board-item/notice/5/revision/2/restore", BOARD_PAGES, OTHER_BOARD],
  [
    "PUT /api/board-item/free",
    ["/sitemap.xml", "/board/free/List", "/calendar", ...HOME_PAGES],
    [...BOARD_PAGES, ...PLAIN_PAGES],
  ],
  ["POST /api/board-item/notice/bulk", [...BOARD_PAGES, ...OTHER_BOARD, ...PLAIN_PAGES], []],
  ["PATCH /api/board-item/%6eotice/5", [...BOARD_PAGES, ...HOME_PAGES, ...PLAIN_PAGES, "/sitemap.xml"], []],
  ["PATCH /api/admin/popup/1", [...BOARD_PAGES, ...OTHER_BOARD, ...HOME_PAGES, ...PLAIN_PAGES, "/sitemap.xml"], []],
  ["PATCH /api/user/1", [...BOARD_PAGES, ...HOME_PAGES], []],
])("%s drops what it touches and leaves the rest", async (call, dropped, kept) => {
  const [method = "", path = ""] = call.split(" ");
  const pages = [...dropped, ...kept].map(address);
  for (const url of pages) await keep(url);
  await recordWrite(address(path), requirePresent(traceOf(method, path)));
  for (const url of pages)
    expect([url.pathname, (await findStoredPage(url)).kept !== null]).toEqual([
      url.pathname,
      kept.some((each) => address(each).href === url.href),
    ]);
});

test("every call that writes is one that guests cannot see, one of a board, or of everything", () => {
  const seen = Object.keys(CALLS).flatMap((name) => {
    const [method = "", path = ""] = name.split(" ");
    const trace = traceOf(method, path.replace(":boardCode", "notice").replace(/:\w+/g, "5"));
    return trace && !trace.scopes.includes("site") ? [`${name}${trace.isAddition ? " adds" : ""}`] : [];
  });
  expect(seen).toEqual([
    "DELETE /api/board-item/bin/:boardCode",
    "POST /api/board-item/:boardCode/:itemNo/restore",
    "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore",
    "PUT /api/board-item/:boardCode adds",
    "PATCH /api/board-item/:boardCode/:itemNo",
    "DELETE /api/board-item/:boardCode/:itemNo",
    "PUT /api/board-item-comment/:boardCode/:itemNo adds",
    "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId",
    "DELETE /api/board-item-comment/:boardCode/:itemNo/:commentId",
    "POST /api/admin/report/:boardCode/:itemNo",
  ]);
});

test("a board's page under an encoded address, which no write would find, is not shared", () => {
  const shared = (path: string) => sharedAddress(new Request(`http://localhost${path}`), address(path));
  expect(shared("/board/notice/List")).not.toBeNull();
  for (const path of ["/board/%6eotice/List", "/board/n%6ftice/View/5", "/board/notice%2f/rss.xml"])
    expect(shared(path), path).toBeNull();
  expect(pageScopes(address("/BOARD/Notice/LIST/"))).toEqual(pageScopes(address("/board/notice/list")));
});

/** Those who come for a page at once, and what each gets: a page, or the turn to render it. */
async function comeTogether(url: URL, count: number) {
  const deferred: Promise<unknown>[] = [];
  const found = await findStoredPage(url);
  expect(found.kept).toBeNull();
  const turns = Array.from({ length: count }, () => takeTurn(url, found, (work) => void deferred.push(work)));
  return { turns, settle: () => Promise.all(deferred) };
}

/** The same after somebody wrote what is on the page, of which a copy was kept. */
async function comeAfterWrite(path: string, method: string, call: string) {
  const url = address(path);
  await keep(url);
  await recordWrite(url, requirePresent(traceOf(method, call)));
  return { url, ...(await comeTogether(url, 40)) };
}

test("one renders what was added to, and the others get the copy from before", async () => {
  const { url, turns, settle } = await comeAfterWrite("/board/archive/list", "PUT", "/api/board-item/archive");
  const got = await Promise.all(turns);
  expect(got.filter(({ page }) => page === null)).toHaveLength(1);
  await settle();
  for (const turn of got) if (turn.page === null) turn.end();
  // Another instance has it from the note in the store.
  expect((await takeTurn(url, await findStoredPage(url), () => {})).page).not.toBeNull();
});

test("of what was taken away nobody gets the copy from before: one renders it, the others wait for that", async () => {
  const { url, turns, settle } = await comeAfterWrite("/board/minutes/list", "DELETE", "/api/board-item/minutes/1");
  const first = await Promise.race(turns);
  if (first.page) throw new Error("a page that was rendered before");
  const body = new TextEncoder().encode("<p>after</p>").buffer;
  const page = { body, headers: {}, places: [], stamp: first.found.stamp, renderedMs: Date.now() };
  await storePage(url, page, 50, first.found.writes);
  first.end();
  const others = (await Promise.all(turns)).flatMap((turn) =>
    turn.page ? [new TextDecoder().decode(turn.page.body)] : [],
  );
  expect(others).toEqual(Array.from({ length: 39 }, () => "<p>after</p>"));
  await settle();
});

test("what comes to no page to keep is rendered by each of those who waited, and no turn outlives its time", async () => {
  const url = address("/board/nowhere/list");
  const { turns } = await comeTogether(url, 5);
  const first = await Promise.race(turns);
  if (first.page) throw new Error("nothing was kept");
  first.end();
  expect((await Promise.all(turns)).map(({ page }) => page)).toEqual([null, null, null, null, null]);
  vi.useFakeTimers({ toFake: ["Date"] });
  const late = await comeTogether(address("/board/nowhere/view/1"), 2);
  const [, second] = late.turns;
  vi.setSystemTime(Date.now() + 3001);
  expect((await requirePresent(second)).page).toBeNull();
});
