/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { caseReportTest } from "../fixtures.ts";
import { HEIGHTS } from "../every-page/rows.ts";
import { holdRequests } from "../support/browser.ts";

const test = caseReportTest.extend("downloadsFont", { scope: "file" }, true);

const LOADS = 3;

/** Adds up the shifts of each frame. */
async function measureShift(page: Page): Promise<number> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const release = await holdRequests(page, "**/*.woff2");
  await page.goto("/", { waitUntil: "commit" });
  await page.locator("[data-popup]:not([hidden])").waitFor();
  release();
  await page.waitForFunction(() => document.readyState === "complete" && document.fonts.status === "loaded");
  await page.evaluate(async () => {
    await document.fonts.load("16px 'Pretendard Variable'", "한국");
    await document.fonts.ready;
    for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  });
  return page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, each) => sum + each, 0),
  );
}

// A font's files that arrive in several frames move some text twice, so the smallest of three loads counts.
test.for([390, 768, 1280])("late fonts shift the home page little at %i px", async (width, { openGuest }) => {
  const shifts: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const page = await openGuest({ width, height: 900 });
    shifts.push(await measureShift(page));
    await page.close();
  }
  expect(Math.min(...shifts)).toBeLessThan(0.02);
});

test("tiles of a gallery are at least 160 px wide", async ({ db, openGuest }) => {
  await db.prepare("UPDATE board SET board_type = 'gallery' WHERE board_code = 'reference'").run();
  const page = await openGuest();
  for (const width of Object.keys(HEIGHTS).map(Number)) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/board/reference/List/");
    const tile = await page.locator("main li.group").first().boundingBox();
    expect(tile?.width, `${width}`).toBeGreaterThanOrEqual(width < 768 ? 160 : 200);
  }
});
