import { expect, test } from "vitest";
import { findStoredPage, storePage, recordWrite } from "#worker/edge/page-store.ts";

const address = (path: string) => new URL(`http://localhost${path}`);

async function keep(url: URL): Promise<void> {
  const { stamp } = await findStoredPage(url);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await storePage(url, { body, headers: { "Content-Type": "text/html" }, places: [], stamp }, 50);
}

test("a kept page is found until something is written", async () => {
  const url = address("/pid/about");
  await keep(url);
  expect((await findStoredPage(url)).kept).not.toBeNull();
  await recordWrite(url);
  expect((await findStoredPage(url)).kept).toBeNull();
});

test("who looks while a write is being noted does not keep the old page at hand for those after it", async () => {
  for (const warm of [true, false]) {
    const url = address(`/pid/target?${warm}`);
    const other = address(`/pid/center?${warm}`);
    await keep(url);
    await keep(other);
    if (warm) await findStoredPage(url);
    const noted = recordWrite(url);
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
  await recordWrite(url);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await storePage(url, { body, headers: { "Content-Type": "text/html" }, places: [], stamp }, 50);
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
