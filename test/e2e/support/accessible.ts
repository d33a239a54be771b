import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "./account.ts";
import { findAxeViolations } from "./browser.ts";

/** Nothing for axe to object to, nothing beside the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  const dialogs = page.locator("dialog[open] > div > .overflow-y-auto");
  for (const body of await dialogs.all())
    await expect.poll(() => body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // An open dialog takes the scroll bar away.
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
}

/** The page at the width of a desk and of a phone. */
export async function expectFits(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  // Below zero where a dialog took the scroll bar away.
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** `expectAccessible`, without what stands in the way for a moment. */
export async function expectPageAccessible(page: Page): Promise<void> {
  // A button half under the header that sticks to the top is no fault, nor is one under a toast for some seconds.
  await page.evaluate(() => {
    scrollTo(0, 0);
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="알림 닫기"]')) close.click();
  });
  await expectAccessible(page);
}
