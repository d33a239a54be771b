import { expect, test } from "vitest";
import { findPage, keepPage, noteWrite } from "#worker/edge/page-store.ts";

const address = (path: string) => new URL(`http://localhost${path}`);

async function keep(url: URL): Promise<void> {
  const { stamp } = await findPage(url);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await keepPage(url, { body, headers: { "Content-Type": "text/html" }, places: [], stamp }, 50);
}

test("a kept page is found until something is written", async () => {
  const url = address("/pid/about");
  await keep(url);
  expect((await findPage(url)).kept).not.toBeNull();
  await noteWrite(url);
  expect((await findPage(url)).kept).toBeNull();
});

test("who looks while a write is being noted does not keep the old page at hand for those after it", async () => {
  for (const warm of [true, false]) {
    const url = address(`/pid/target?${warm}`);
    const other = address(`/pid/center?${warm}`);
    await keep(url);
    await keep(other);
    if (warm) await findPage(url);
    const noted = noteWrite(url);
    const looks = Array.from({ length: 20 }, async () => (await Promise.resolve(), findPage(url)));
    await noted;
    expect((await findPage(url)).kept).toBeNull();
    expect((await findPage(other)).kept).toBeNull();
    await Promise.all(looks);
    expect((await findPage(url)).kept).toBeNull();
  }
});

test("a page that was rendered before a write is not served after it, though it is kept later", async () => {
  const url = address("/research/rules");
  const { stamp } = await findPage(url);
  await noteWrite(url);
  const body = new TextEncoder().encode("<p>before</p>").buffer;
  await keepPage(url, { body, headers: { "Content-Type": "text/html" }, places: [], stamp }, 50);
  expect((await findPage(url)).kept).toBeNull();
});
