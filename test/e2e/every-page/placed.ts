import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findBrokenWords, findHeaderOverlaps } from "../support/accessible.ts";
import { measureSidewaysScroll } from "../support/account.ts";

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return { ...box, bottom: box.y + box.height, right: box.x + box.width };
};

/** Where the first line of an item begins. */
const startOfText = (page: Page) =>
  page.evaluate(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".article p, .article li") ?? document.body);
    return range.getBoundingClientRect().top;
  });

async function isFocusInView(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { top, bottom } = element.getBoundingClientRect();
    return element !== document.body && bottom > 0 && top < innerHeight;
  });
}

async function expectInFirstScreen(page: Page, selector: string): Promise<void> {
  expect((await boxOf(page, selector)).bottom).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
}

/** Questions of single pages; each may change the page, so they are asked last. */
export const PLACED_QUESTIONS = {
  /** It covers neither quick links nor actions, folded or unfolded. */
  popup: async (page, width) => {
    const unfold = page.locator("[data-popup-act=unfold]");
    await page.locator("[data-popup]:not([hidden])").waitFor();
    const popup = await boxOf(page, "[data-popup]:not([hidden])");
    const links = await boxOf(page, ".quick-links");
    const action = await boxOf(page, ".hero a[href]");
    expect(popup.bottom).toBeLessThanOrEqual(links.y);
    expect(popup.y >= action.bottom || popup.x >= action.right).toBe(true);
    expect([popup.x >= 0, popup.right <= width]).toEqual([true, true]);
    expect(await unfold.isVisible()).toBe(width < 1024);
    if (width < 1024) await unfold.click();
    await page.getByRole("button", { name: /24시간 동안 보지 않기|Do not show for 24 hours/ }).waitFor();
    expect((await boxOf(page, "[data-popup]:not([hidden])")).bottom).toBeLessThanOrEqual(links.y);
  },
  words: async (page) => expect(await findBrokenWords(page, "main")).toEqual([]),
  /** Its words are whole and apart from a tablet to a wide screen. */
  header: async (page) => {
    for (const width of [768, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect([...(await findBrokenWords(page, "header")), ...(await findHeaderOverlaps(page))], `${width}`).toEqual([]);
    }
  },
  tabs: async (page) => {
    expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
    const outside = await page
      .locator("main nav ul:has(a[aria-current=page]) a")
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().right > innerWidth).length);
    expect(outside).toBe(0);
    const hidden = await page.locator("main nav:has(> ul a[aria-current=page])").evaluate((nav) => {
      const list = nav.querySelector("ul");
      return list ? list.scrollWidth - list.clientWidth : NaN;
    });
    expect(hidden).toBe(0);
  },
  /** The choice of a page's size takes one line, two on a phone. */
  sizes: async (page, width) => {
    const lines = await page.getByRole("navigation", { name: "한 페이지에 볼 글 수" }).evaluate((sizes) =>
      [...(sizes.parentElement?.querySelectorAll("a, button, p") ?? [])].map((each) => {
        const { y, height } = each.getBoundingClientRect();
        return Math.round((y + height / 2) / 22);
      }),
    );
    expect(new Set(lines).size).toBeLessThanOrEqual(width < 768 ? 2 : 1);
    expect(await page.locator('nav > [aria-hidden]:text-is("개씩 보기")').isVisible()).toBe(true);
  },
  signin: (page) => expectInFirstScreen(page, "main a[href*='signin' i]"),
  telephone: (page) => expectInFirstScreen(page, "main dl a[href^='tel:']"),
  /** The map and the table are one figure: as wide as each other. */
  map: async (page) => {
    const map = await boxOf(page, "#residence-figure svg[role=img]");
    const table = await boxOf(page, "#residence-figure table");
    expect(map.width).toBeGreaterThanOrEqual(table.width * 0.9);
    expect(table.width).toBeLessThanOrEqual(720);
  },
  /** It begins close to its question. */
  answer: async (page) => {
    await page.locator("main summary").first().click();
    const question = await boxOf(page, "main summary");
    expect((await startOfText(page)) - question.bottom).toBeLessThanOrEqual(30);
  },
  /** Its text begins in the first screen, its files follow it. */
  article: async (page) => {
    expect(await startOfText(page)).toBeLessThanOrEqual(560);
    expect((await boxOf(page, "#attachments")).y).toBeGreaterThan((await boxOf(page, ".article")).bottom - 1);
  },
  /** The focus stays in view after paging and searching, typed text while paging. */
  paging: async (page, width) => {
    await page.setViewportSize({ width, height: 600 });
    const keyword = page.locator("#main [name=keyword], #main input[type=search]").first();
    const hasKeyword = (await keyword.count()) > 0;
    const next = page.locator("#main nav").getByRole("link", { name: "다음", exact: true });
    if ((await next.count()) > 0) {
      if (hasKeyword) await keyword.fill("적던 말");
      await next.focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/page=2/);
      await page.locator("#main nav [aria-current=page]", { hasText: "2" }).first().waitFor();
      await expect.poll(() => isFocusInView(page)).toBe(true);
      if (hasKeyword) expect(await keyword.inputValue()).toBe("적던 말");
    }
    if (!hasKeyword) return;
    await keyword.fill("김");
    await keyword.press("Enter");
    await page.waitForURL(/=%EA%B9%80/);
    await expect.poll(() => isFocusInView(page)).toBe(true);
  },
} satisfies Record<string, (page: Page, width: number) => Promise<void>>;

export type PlacedQuestion = keyof typeof PLACED_QUESTIONS;
