import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "./account.ts";
import { findAxeViolations } from "./browser.ts";

/** Pairs of header links and buttons that overlap, for any site and person name. */
export const findHeaderOverlaps = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const range = document.createRange();
    const reachOf = (element: Element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const reach = { top, bottom, left, right };
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        if ((text.parentElement?.getBoundingClientRect().width ?? 0) <= 1) continue;
        range.selectNodeContents(text);
        const words = range.getBoundingClientRect();
        if (words.width === 0) continue;
        reach.left = Math.min(reach.left, words.left);
        reach.right = Math.max(reach.right, words.right);
      }
      return reach;
    };
    const boxes = [...document.querySelectorAll("header.sticky :is(a, button, summary)")]
      .filter((each) => each.checkVisibility() && !each.closest(":popover-open"))
      .map((each) => ({ name: each.getAttribute("aria-label") ?? each.textContent, ...reachOf(each) }));
    return boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .filter(
          (b) => a.top < b.bottom && b.top < a.bottom && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1,
        )
        .map((b) => `${a.name} lies over ${b.name}`),
    );
  });

/** Expects no axe violation, no sideways scroll and no overlap in the header. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findHeaderOverlaps(page)).toEqual([]);
  expect(await findAxeViolations(page)).toEqual([]);
  const dialogs = page.locator("dialog[open] > div > .overflow-y-auto");
  for (const body of await dialogs.all())
    await expect.poll(() => body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
}

export async function expectFits(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Like `expectAccessible`, without temporary obstacles. */
export async function expectPageAccessible(page: Page): Promise<void> {
  // A button half under the sticky header or a toast would be reported.
  await page.evaluate(() => {
    scrollTo(0, 0);
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="알림 닫기"]')) close.click();
  });
  await expectAccessible(page);
}

/** Visible words broken across lines; addresses have no other break. */
export const findBrokenWords = (page: Page, within: string): Promise<string[]> =>
  page.evaluate(async (selector) => {
    // Small screens load the Hangul font late or not at all.
    const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][media]');
    for (const sheet of sheets) {
      sheet.media = "all";
      if (!sheet.sheet) await new Promise((resolve) => sheet.addEventListener("load", resolve, { once: true }));
    }
    // Wide screens load their fonts at the first layout and reflow when they arrive.
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    const found = new Set<string>();
    const range = document.createRange();
    const texts = document.createTreeWalker(document.querySelector(selector) ?? document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const parent = text.parentElement;
      if (!parent?.checkVisibility() || parent.closest("script, style, svg, code, pre, .sr-only")) continue;
      range.selectNodeContents(text);
      const lines = range.getClientRects();
      if (lines.length < 2 || parent.getBoundingClientRect().width <= 2) continue;
      for (const { 0: word, index } of text.data.matchAll(/(?<![@/\p{L}\p{N}._-])[\p{L}\p{N}]{2,}(?![\w.-]*[@/])/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) found.add(`broken word ${word}`);
      }
    }
    return [...found];
  }, within);

/** Elements usable by mouse but not by keyboard: no focus, no ring, wrong order or covered. */
export async function findKeyboardFaults(page: Page): Promise<string[]> {
  // From now on the browser shows the focus ring.
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const USABLE =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [contenteditable=true]";
    const faults: string[] = [];
    const note = (element: Element, fault: string) => {
      const name = element.getAttribute("aria-label") ?? element.getAttribute("name") ?? element.textContent;
      faults.push(`${fault}: ${element.tagName.toLowerCase()} ${name?.trim().slice(0, 40)}`);
    };
    const main = document.getElementById("main");
    if (!main) return ["no main part"];
    for (const element of main.querySelectorAll<HTMLElement>(`${USABLE}, [tabindex]`)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(":disabled, .sr-only")) continue;
      if (element.tabIndex > 0) note(element, "an order of its own");
      if (element.tabIndex < 0) {
        if (element.matches(USABLE) && !element.closest("[role=tablist], [role=listbox], [role=toolbar]"))
          note(element, "not reached by Tab");
        continue;
      }
      element.focus();
      const style = getComputedStyle((element.isContentEditable && element.closest(".editor-frame")) || element);
      if (document.activeElement !== element) note(element, "takes no focus");
      else if (style.outlineStyle === "none" && style.boxShadow === "none") note(element, "no ring");
    }
    for (const element of main.querySelectorAll<HTMLElement>("*")) {
      if (getComputedStyle(element).cursor !== "pointer" || !element.checkVisibility()) continue;
      if (!element.closest(`${USABLE}, label, option`)) note(element, "a press that no key makes");
    }
    // Sticky bars cover less at the top of the page.
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    return faults;
  });
}
