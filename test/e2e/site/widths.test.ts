/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { caseReportTest } from "../fixtures.ts";
import { findBrokenWords } from "../support/accessible.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { holdRequests } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";

const test = caseReportTest.extend("downloadsFont", { scope: "file" }, true);

const SIZES = [
  [390, 844],
  [768, 1024],
  [1280, 900],
  [1920, 1080],
] as const;

/** Calls `look` at each width with a new document. */
async function walk(
  page: Page,
  paths: string[],
  look: (place: string, width: number, height: number) => Promise<void>,
) {
  for (const path of paths) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.goto(path);
      await look(`${path} at ${width}`, width, height);
    }
  }
}

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

test("a popup covers neither quick links nor actions, folded or unfolded", async ({ openGuest }) => {
  const page = await openGuest();
  await walk(page, ["/", "/en"], async (place, width) => {
    const unfold = page.locator("[data-popup-act=unfold]");
    await page.locator("[data-popup]:not([hidden])").waitFor();
    const popup = await boxOf(page, "[data-popup]:not([hidden])");
    const links = await boxOf(page, ".quick-links");
    const action = await boxOf(page, ".hero a[href]");
    expect(popup.bottom, place).toBeLessThanOrEqual(links.y);
    expect(popup.y >= action.bottom || popup.x >= action.right, place).toBe(true);
    expect([popup.x >= 0, popup.right <= width], place).toEqual([true, true]);
    expect(await unfold.isVisible(), place).toBe(width < 1024);
    if (width < 1024) await unfold.click();
    await page.getByRole("button", { name: /24시간 동안 보지 않기|Do not show for 24 hours/ }).waitFor();
    expect((await boxOf(page, "[data-popup]:not([hidden])")).bottom, place).toBeLessThanOrEqual(links.y);
  });
});

test.for([390, 768, 1280])(
  "the home page shifts by less than 0.02 at %i px when fonts come late",
  async (width, { openGuest }) => {
    const page = await openGuest({ width, height: 900 });
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
    const shift = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, each) => sum + each, 0),
    );
    expect(shift).toBeLessThan(0.02);
  },
);

test("the text of an item begins in the first screen of a phone, its files follow it", async ({ openGuest }) => {
  const page = await openGuest({ width: 390, height: 844 });
  for (const path of ["/board/notice/View/60", "/board/notice/View/52"]) {
    await page.goto(path);
    expect(await startOfText(page), path).toBeLessThanOrEqual(560);
    expect((await boxOf(page, "#attachments")).y, path).toBeGreaterThan((await boxOf(page, ".article")).bottom - 1);
  }
});

test("tabs and page sizes can be read at every width", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await walk(page, ["/Mypage", "/pid/residence"], async (place, width) => {
    expect(await measureSidewaysScroll(page), place).toBeLessThanOrEqual(0);
    const outside = await page
      .locator("main nav ul:has(a[aria-current=page]) a")
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().right > innerWidth).length);
    expect(outside, `${place}, ${width}`).toBe(0);
    const tabs = await page.locator("main nav:has(> ul a[aria-current=page])").evaluate((nav) => {
      const list = nav.querySelector("ul");
      return list ? list.scrollWidth - list.clientWidth : NaN;
    });
    expect(tabs, place).toBe(0);
  });
  await walk(page, ["/board/notice/List/"], async (place, width) => {
    const tops = await page.getByRole("navigation", { name: "한 페이지에 볼 글 수" }).evaluate((sizes) =>
      [...(sizes.parentElement?.querySelectorAll("a, button, p") ?? [])].map((each) => {
        const { y, height } = each.getBoundingClientRect();
        return Math.round((y + height / 2) / 22);
      }),
    );
    expect(new Set(tops).size, place).toBeLessThanOrEqual(width < 768 ? 2 : 1);
    expect(await page.locator('nav > [aria-hidden]:text-is("개씩 보기")').isVisible(), place).toBe(true);
  });
});

test("tiles of a gallery are at least 160 px wide", async ({ db, openGuest }) => {
  await db.prepare("UPDATE board SET board_type = 'gallery' WHERE board_code = 'reference'").run();
  const page = await openGuest();
  await walk(page, ["/board/reference/List/"], async (place, width) => {
    const tile = await boxOf(page, "main li.group");
    expect(tile.width, place).toBeGreaterThanOrEqual(width < 768 ? 160 : 200);
  });
});

test("what a visitor came for is in the first screen of the registry and of a centre", async ({ openGuest }) => {
  const page = await openGuest();
  await walk(page, ["/Registry", "/pid/center/jeju"], async (place, _width, height) => {
    const wanted = place.startsWith("/Registry") ? "main a[href*='signin' i]" : "main dl a[href^='tel:']";
    expect((await boxOf(page, wanted)).bottom, place).toBeLessThanOrEqual(height);
  });
});

test("the map of registrations is as wide as its chart, the table as wide as its columns need", async ({
  openGuest,
}) => {
  const page = await openGuest();
  await walk(page, ["/pid/residence"], async (place) => {
    const map = await boxOf(page, "[aria-labelledby=residence-map] > svg");
    const chart = await boxOf(page, "[aria-labelledby=residence-bars] > svg");
    expect(map.width, place).toBeGreaterThanOrEqual(chart.width * 0.9);
    expect((await boxOf(page, "[aria-labelledby=residence-table] table")).width, place).toBeLessThanOrEqual(720);
  });
  await page.goto("/");
  expect(await page.locator(".map-names text").allInnerTexts()).toHaveLength(17);
});

test("an English page marks each Korean title and says so", async ({ openGuest }) => {
  const page = await openGuest();
  for (const path of ["/en/board/notice/List/", "/en/calendar", "/en"]) {
    await page.goto(path);
    const titles = page.locator("main :is(td, li):has(> :is(span, div) a > [lang=ko]), main li p:has(> a > [lang=ko])");
    expect(await titles.count(), path).toBeGreaterThan(2);
    expect(await titles.filter({ hasNotText: "(in Korean)" }).allInnerTexts(), path).toEqual([]);
    if (path !== "/en") await page.getByText("Posts are shown as they were written").waitFor();
  }
});

test("an answer begins close to its question, and a board's trail names the menu group", async ({ openGuest }) => {
  const page = await openGuest();
  await walk(page, ["/board/help/List/"], async (place) => {
    await page.locator("main summary").first().click();
    const question = await boxOf(page, "main summary");
    expect((await startOfText(page)) - question.bottom, place).toBeLessThanOrEqual(30);
  });
  for (const path of ["/board/notice/List/", "/board/notice/List/?page=2", "/board/notice/View/60", "/calendar"]) {
    await page.goto(path);
    const trail = await page.getByRole("navigation", { name: "현재 위치" }).getByRole("listitem").allInnerTexts();
    expect(trail.slice(0, 2), path).toEqual(["홈", "게시판"]);
  }
});

test("no word of a page is broken between tablet and desktop", async ({ openGuest }) => {
  const page = await openGuest();
  const faults: Record<string, string[]> = {};
  for (const path of ["/en", "/pid/organization", "/en/pid/organization"]) {
    for (const width of [768, 1024, 1100, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      const found = await findBrokenWords(page, "main");
      if (found.length > 0) faults[`${path} at ${width}`] = found;
    }
  }
  expect(faults).toEqual({});
});
