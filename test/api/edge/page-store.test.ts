import { expect, test, vi } from "vitest";
import {
  fillInNonce,
  findStoredPage,
  markStale,
  noncePlacesOf,
  storePage,
  recordWrite,
} from "#worker/edge/page-store.ts";

const address = (path: string) => new URL(`http://localhost${path}`);

async function keep(url: URL): Promise<void> {
  const { stamp } = await findStoredPage(url);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await storePage(
    url,
    { body, headers: { "Content-Type": "text/html" }, places: [], stamp, renderedMs: Date.now() },
    50,
  );
}

test("a kept page is found until something is written", async () => {
  const url = address("/pid/about");
  await keep(url);
  expect((await findStoredPage(url)).kept).not.toBeNull();
  await recordWrite(url, false);
  expect((await findStoredPage(url)).kept).toBeNull();
});

test("who looks while a write is being noted does not keep the old page at hand for those after it", async () => {
  for (const warm of [true, false]) {
    const url = address(`/pid/target?${warm}`);
    const other = address(`/pid/center?${warm}`);
    await keep(url);
    await keep(other);
    if (warm) await findStoredPage(url);
    const noted = recordWrite(url, false);
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
  const { stamp } = await findStoredPage(url);
  await recordWrite(url, false);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await storePage(
    url,
    { body, headers: { "Content-Type": "text/html" }, places: [], stamp, renderedMs: Date.now() },
    50,
  );
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
  const url = address("/pid/organization");
  await recordWrite(url, false);
  await keep(url);
  await recordWrite(url, true);
  const added = await findStoredPage(url);
  expect([added.kept, added.stale === null]).toEqual([null, false]);
  vi.setSystemTime(Date.now() + 51_000);
  const { kept, stale } = await findStoredPage(url);
  expect([kept, stale === null]).toEqual([null, false]);
  await recordWrite(url, false);
  await recordWrite(url, true);
  expect((await findStoredPage(url)).stale).toBeNull();
});

test("an old page says its age as its first words, and its nonces stay in their places", () => {
  const token = "0".repeat(32);
  const html = `<html><head><script nonce="${token}"></script></head><body class="a"><main>본문</main><script nonce="${token}"></script></body></html>`;
  const body = new TextEncoder().encode(html).buffer;
  const page = { body, headers: { "Content-Type": "text/html; charset=utf-8" }, stamp: "", renderedMs: 0 };
  const marked = markStale({ ...page, places: noncePlacesOf(body, token) });
  const text = new TextDecoder().decode(fillInNonce(marked, "f".repeat(32)));
  expect(text).toMatch(/<body class="a"><p id="stale-page" role="status">지금은 .* 1970-01-01 09:00의 화면/);
  expect(text.split(`nonce="${"f".repeat(32)}"`)).toHaveLength(3);
  const feed = { ...page, headers: { "Content-Type": "application/rss+xml" }, places: [] };
  expect(markStale(feed)).toBe(feed);
});
