import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ITEM_SCOPES } from "#db/page-stamps.ts";
import { fillPagePlaceholders, findPlaceholders } from "#worker/edge/placeholders.ts";
import { knownStamps, noteWrite, seenStamps, stampOf, TRUSTED_SECONDS } from "#worker/edge/page-stamp.ts";
import { findPage, markStale, storePage, takeTurn } from "#worker/edge/page-store.ts";
import { pageScopes, sharedAddress } from "#worker/edge/shared-page.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runSql } from "../../support/test-database.ts";

afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  await runSql(
    "INSERT OR IGNORE INTO page_stamp (scope) VALUES ('site'), ('boards'), ('board:notice'), ('items:notice')",
  );
  await noteWrite(env, "");
});

const address = (path: string) => new URL(`http://localhost${path}`);
const HOUR_MS = 3_600_000;

const stampNow = async (url: URL) => stampOf((await knownStamps(env)).stamps, pageScopes(url), true);
const find = async (url: URL) => findPage(url, await stampNow(url));
async function keep(url: URL, { stamp = "", untilMs = Date.now() + HOUR_MS } = {}): Promise<void> {
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  const shown = stamp || requirePresent(await stampNow(url));
  await storePage(url, {
    body,
    headers: { "Content-Type": "text/html" },
    placeholders: [],
    stamp: shown,
    views: [],
    viewed: "",
    renderedMs: Date.now(),
    untilMs,
  });
}
async function write(sql: string): Promise<void> {
  const seen = seenStamps();
  await runSql(sql);
  await noteWrite(env, seen);
}
const REMOVE = "UPDATE page_stamp SET stamp = '', removal = '' WHERE scope = 'site'";
const ADD = "UPDATE page_stamp SET stamp = '' WHERE scope IN ('boards', 'items:notice')";

test("a cached page is served until its content changes", async () => {
  const [page, list] = [address("/pid/about"), address("/board/notice/list")];
  await keep(page);
  await keep(list);
  await write(ADD);
  expect([(await find(page)).kept !== null, (await find(list)).kept]).toEqual([true, null]);
  await keep(list);
  await write("INSERT INTO rate_limit (key, count, reset_date) VALUES ('x', 1, 1)");
  expect((await find(list)).kept).not.toBeNull();
  await write(REMOVE);
  expect([(await find(page)).kept, (await find(list)).kept]).toEqual([null, null]);
});

test("a page rendered before a write is not served after it", async () => {
  const url = address("/research/rules");
  const stamp = requirePresent(await stampNow(url));
  await write(REMOVE);
  await keep(url, { stamp });
  expect((await find(url)).kept).toBeNull();
});

test("a guest reading during a write does not preserve the older stamps", async () => {
  const url = address("/pid/target");
  for (let round = 0; round < 3; round += 1) {
    await keep(url);
    const seen = seenStamps();
    await runSql(REMOVE);
    const looks = Array.from({ length: 20 }, () => find(url));
    await noteWrite(env, seen);
    expect((await find(url)).kept).toBeNull();
    await Promise.all(looks);
    expect((await find(url)).kept).toBeNull();
  }
});

test("stamps read before a write elsewhere are not trusted after", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = address("/pid/center");
  await keep(url);
  const store = await caches.open("kept-pages");
  const older = requirePresent(await store.match(`${env.SITE_ORIGIN}/page-stamps`));
  await write(REMOVE);
  // The other instance stores its read after the writer.
  await store.put(`${env.SITE_ORIGIN}/page-stamps`, older);
  vi.setSystemTime(Date.now() + 2000);
  expect((await find(url)).kept).toBeNull();
});

test("guest requests read the stamps only occasionally, not for each page", async () => {
  expect(TRUSTED_SECONDS).toBeLessThan(59);
  vi.useFakeTimers({ toFake: ["Date"] });
  const asked = vi.spyOn(env.DB, "batch");
  await knownStamps(env);
  for (let second = 0; second < TRUSTED_SECONDS - 2; second += 1) {
    vi.setSystemTime(Date.now() + 1000);
    await knownStamps(env);
  }
  expect(asked).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 3000);
  await knownStamps(env);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("the last stamps are kept while the database is unavailable", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = address("/board/reference/list");
  await runSql("INSERT OR IGNORE INTO page_stamp (scope) VALUES ('board:reference'), ('items:reference')");
  await noteWrite(env, "");
  await keep(url);
  vi.setSystemTime(Date.now() + (TRUSTED_SECONDS + 1) * 1000);
  vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("D1 is overloaded"));
  const { stamps, isCurrent } = await knownStamps(env);
  expect(isCurrent).toBe(false);
  expect((await findPage(url, stampOf(stamps, pageScopes(url), true))).old).not.toBeNull();
});

test("the query is part of the cache key, also in memory", async () => {
  const url = address("/board/notice/List?page=1");
  await keep(url);
  for (const other of ["/board/notice/List?page=2", "/board/notice/List", "/board/notice/List?page=1&category=a"])
    expect((await find(address(other))).kept, other).toBeNull();
  expect((await find(url)).kept).not.toBeNull();
});

test("a stale page is served for an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = address("/board/notice/list");
  await keep(url);
  await write(ADD);
  const after = await find(url);
  expect([after.kept, after.old === null]).toEqual([null, false]);
  await keep(url);
  const stamp = await stampNow(url);
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect([(await findPage(url, stamp)).kept, (await findPage(url, stamp)).old === null]).toEqual([null, false]);
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect((await findPage(url, stamp)).old).toBeNull();
  vi.useRealTimers();
  await keep(url);
  await write(REMOVE);
  await write(ADD);
  expect((await find(url)).old).toBeNull();
});

test("a stale page announces its age first", () => {
  const token = "0".repeat(32);
  const html = `<html><head><script nonce="${token}"></script></head><body class="a"><main>본문</main><script nonce="${token}"></script></body></html>`;
  const body = new TextEncoder().encode(html).buffer;
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  const page = { body, headers, stamp: "", views: [], viewed: "", renderedMs: 0, untilMs: 0 };
  const marked = markStale({ ...page, placeholders: findPlaceholders(body, { nonce: token }) });
  const text = new TextDecoder().decode(fillPagePlaceholders(marked, { nonce: "f".repeat(32) }));
  expect(text).toMatch(/<body class="a"><p id="stale-page" role="status">지금은 .* 1970-01-01 09:00의 화면/);
  expect(text.split(`nonce="${"f".repeat(32)}"`)).toHaveLength(3);
  const feed = { ...page, headers: { "Content-Type": "application/rss+xml" }, placeholders: [] };
  expect(markStale(feed)).toBe(feed);
});

test("each page depends on its board, all boards or the site", () => {
  const ofNotice = ["/sitemap/notice-1.xml", "/board/notice/List/", "/en/board/notice/rss.xml"];
  for (const path of [...ofNotice, "/board/notice/List.data"])
    expect([path, pageScopes(address(path))]).toEqual([path, ["site", "board:notice", "items:notice"]]);
  for (const path of [
    "/BOARD/Notice/view/5",
    "/board/notice/View/5/_.data",
    `/en/board/notice/View/${5 + ITEM_SCOPES}`,
  ])
    expect([path, pageScopes(address(path))]).toEqual([path, ["site", "board:notice", "item:5"]]);
  for (const path of ["/", "//", "/_.data", "/en", "/calendar", "/sitemap.xml"])
    expect([path, pageScopes(address(path))]).toEqual([path, ["site", "boards"]]);
  for (const path of ["/sitemap/pages.xml", "/pid/about", "/terms?version=1", "/robots.txt"])
    expect([path, pageScopes(address(path))]).toEqual([path, ["site"]]);
});

test("a board page with an encoded path is not cached", () => {
  const shared = (path: string) => sharedAddress(new Request(`http://localhost${path}`), address(path));
  expect(shared("/board/notice/List")).not.toBeNull();
  for (const path of ["/board/%6eotice/List", "/board/n%6ftice/View/5", "/board/notice%2f/rss.xml"])
    expect(shared(path), path).toBeNull();
});

test("simultaneous requests for an uncached page wait for one rendering", async () => {
  const url = address("/board/notice/list?page=3");
  const stamp = requirePresent(await stampNow(url));
  const turns = Array.from({ length: 40 }, () => takeTurn(url, stamp));
  const first = await Promise.race(turns);
  if (first.page) throw new Error("nothing was kept");
  await keep(url);
  first.end();
  const others = (await Promise.all(turns)).filter(({ page }) => page !== null);
  expect(others).toHaveLength(39);
});

test("a waiter renders itself after a rendering without cache", async () => {
  const come = (path: string, count: number) => Array.from({ length: count }, () => takeTurn(address(path), "a.b"));
  const turns = come("/board/nowhere/list", 5);
  const first = await Promise.race(turns);
  if (first.page) throw new Error("nothing was kept");
  first.end();
  expect((await Promise.all(turns)).map(({ page }) => page)).toEqual([null, null, null, null, null]);
  vi.useFakeTimers({ toFake: ["Date"] });
  const [, second] = come("/board/nowhere/view/1", 2);
  vi.setSystemTime(Date.now() + 3001);
  expect((await requirePresent(second)).page).toBeNull();
});
