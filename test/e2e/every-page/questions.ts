import type { Page } from "playwright-core";
import { BARE_PATHS, MISSING_PATH } from "../../calls/public-paths.ts";
import { findBrokenWords, findHeaderOverlaps, findKeyboardFaults } from "../support/accessible.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { DESK_WIDTH, HEIGHTS, LISTS, PHONE_WIDTH, type PageRow } from "./rows.ts";

const ROWS_OF_A_SCREEN = 15;

/** Where so many such rows would end; null for a list without rows. */
export const measureRows = (page: Page): Promise<number | null> =>
  page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll("#main tbody tr, #main .list-row, #main .field-row")].map((row) =>
      row.getBoundingClientRect(),
    );
    const heights = rows.map(({ height }) => height).toSorted((a, b) => a - b);
    const median = heights[Math.floor(heights.length / 2)];
    return rows[0] && median ? Math.round(rows[0].top + wanted * median) : null;
  }, ROWS_OF_A_SCREEN);

async function findSidewaysScroll(page: Page, width: number): Promise<string[]> {
  const over = await measureSidewaysScroll(page);
  return over > 0 ? [`scrolls sideways by ${over} px at ${width}`] : [];
}

/** Font size, line breaks, motion, one left edge, the bold name in the footer. */
const findFrameFaults = (page: Page, path: string): Promise<string[]> =>
  page.evaluate(
    ({ isBare, isMissing }) => {
      const found: string[] = [];
      const say = (fault: string, holds: unknown) => holds || found.push(fault);
      const body = getComputedStyle(document.body);
      say("body text below 16 px", parseFloat(body.fontSize) >= 16);
      say("keep-all", body.wordBreak === "keep-all");
      const endless = document.getAnimations().filter((each) => each.effect?.getTiming().iterations === Infinity);
      say("moves and cannot be stopped", endless.length === 0);
      if (isBare) return found;
      const range = document.createRange();
      const edges = ["header.sticky a", "main h1", "footer a"].map((selector) => {
        const part = document.querySelector(selector);
        if (part) range.selectNodeContents(part);
        return part ? Math.round(range.getBoundingClientRect().left) : NaN;
      });
      say(`left edges ${edges.join(", ")}`, isMissing || Math.max(...edges) - Math.min(...edges) <= 2);
      const privacy = [...document.querySelectorAll("footer strong")].find(
        (each) => each.textContent === "개인정보 처리방침",
      );
      say("footer: bold", privacy && Number(getComputedStyle(privacy).fontWeight) >= 700);
      return found;
    },
    { isBare: BARE_PATHS.includes(path), isMissing: path === MISSING_PATH },
  );

async function findPhoneFaults(page: Page): Promise<string[]> {
  const faults = await page.evaluate(() =>
    [...document.querySelectorAll("main button[type=submit], header button, header a")]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5 && !each.closest("dialog"))
      .map((each) => `low button ${each.textContent}`),
  );
  const { width = PHONE_WIDTH, height = 800 } = page.viewportSize() ?? {};
  // A small phone, and a desktop of 1280 px at 400 %.
  for (const narrow of [360, 320]) {
    await page.setViewportSize({ width: narrow, height: 800 });
    faults.push(...(await findSidewaysScroll(page, narrow)), ...(await findHeaderOverlaps(page)));
  }
  await page.setViewportSize({ width, height });
  return faults;
}

async function findPublicFaults(page: Page, { path, width }: PageRow): Promise<string[]> {
  // The regions differ in their texts only.
  const isOtherRegion = path.startsWith("/pid/center/") && !path.endsWith("/seoul");
  return [
    ...(isOtherRegion ? [] : await findAxeViolations(page)),
    ...(await findHeaderOverlaps(page)),
    ...(await findBrokenWords(page, "body")),
    ...(await findFrameFaults(page, path)),
    ...(width > PHONE_WIDTH ? [] : await findPhoneFaults(page)),
  ];
}

async function findListFaults(page: Page, path: string): Promise<string[]> {
  if (!LISTS.has(path.toLowerCase())) return [];
  const end = await measureRows(page);
  return end === null || end > (HEIGHTS[DESK_WIDTH] ?? 0) ? [`${ROWS_OF_A_SCREEN} rows end at ${end}`] : [];
}

async function findConsoleFaults(page: Page, { path, width }: PageRow): Promise<string[]> {
  const faults = [
    ...(await findListFaults(page, path)),
    ...(await findKeyboardFaults(page)),
    ...(await findAxeViolations(page)),
    ...(await findBrokenWords(page, "main")),
  ];
  await page.setViewportSize({ width: PHONE_WIDTH, height: HEIGHTS[PHONE_WIDTH] ?? 0 });
  faults.push(...(await findBrokenWords(page, "main")), ...(await findSidewaysScroll(page, PHONE_WIDTH)));
  await page.setViewportSize({ width, height: HEIGHTS[width] ?? 0 });
  return faults;
}

/** Faults that any page of the row's kind may have. */
export async function findFaults(page: Page, row: PageRow): Promise<string[]> {
  if (row.kind === "public") return findPublicFaults(page, row);
  if (row.kind === "console") return findConsoleFaults(page, row);
  return [...(await findHeaderOverlaps(page)), ...(await findSidewaysScroll(page, row.width))];
}
