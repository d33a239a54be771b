import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export interface PageOptions {
  width?: number;
  height?: number;
  timezoneId?: string;
  javaScriptEnabled?: boolean;
}

/** A page in a context of its own (no cookies of another), Korean, on a desktop unless told. */
export async function newPage(browser: Browser, baseURL: string, options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 900, ...rest } = options;
  const settings: BrowserContextOptions = { locale: "ko-KR", timezoneId: "Asia/Seoul", ...rest };
  const context = await browser.newContext({ ...settings, baseURL, viewport: { width, height } });
  context.setDefaultTimeout(10_000);
  return context.newPage();
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** What axe objects to, one line each, so that a failed `toEqual([])` can be read. */
export async function axe(page: Page): Promise<string[]> {
  // What still fades in has a contrast of its own for a moment.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
        .map((each) => each.finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
  );
}
