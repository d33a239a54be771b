import { readFileSync } from "node:fs";
import { join } from "node:path";
import type axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export interface NewPageOptions {
  width?: number;
  height?: number;
  timezoneId?: string;
  javaScriptEnabled?: boolean;
  hasTouch?: boolean;
  isMobile?: boolean;
  reducedMotion?: "reduce" | "no-preference";
}

/** A page in a context of its own (no cookies of another), Korean, on a desktop and without motion unless told. */
export async function newPage(browser: Browser, baseURL: string, options: NewPageOptions = {}): Promise<Page> {
  const { width = 1280, height = 900, ...rest } = options;
  const settings: BrowserContextOptions = {
    locale: "ko-KR",
    timezoneId: "Asia/Seoul",
    // What fades in is waited for at every step; what moves is looked at where the motion is the point.
    reducedMotion: "reduce",
    ...rest,
  };
  const context = await browser.newContext({ ...settings, baseURL, viewport: { width, height } });
  // Ends what hangs, and nothing that is slow on a busy machine.
  context.setDefaultTimeout(60_000);
  const get = context.request.get.bind(context.request);
  // The same (`test/support/own-connections.ts`) for what is asked beside the browser, which itself tries again.
  context.request.get = (url, asked) => get(url, { maxRetries: 3, ...asked });
  return options.javaScriptEnabled === false ? context.newPage() : newTab(context);
}

/** A page that has been opened when it listens. */
export async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== "commit") await listens(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await listens(page);
    return response;
  };
  return page;
}

/**
 * Waits until the page listens (`app/lib/early-press.ts`), if it is one that the Worker rendered. What opens or reloads a page
 * waits by itself; this is for a page that a form or a link loaded whole.
 */
export async function listens(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.locator("html[data-listens], html:not(:has(script[nonce]))").first().waitFor({ state: "attached" });
}

/** Answers to such requests wait until the returned function is called. */
export async function holdRequests(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await gate;
    await route.continue();
  });
  return () => release();
}

/** The guidelines, and what axe advises beyond them. */
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

const AXE_OPTIONS: axe.RunOptions = {
  runOnly: RULES,
  resultTypes: ["violations"],
  // A table that is being written has heads that are empty yet.
  rules: { "empty-table-header": { enabled: false } },
};

const AXE_FILE = join(import.meta.dirname, "../../../node_modules/axe-core/axe.min.js");
const AXE_SOURCE = readFileSync(AXE_FILE, "utf8");

/** Into each document once: its maker's own bridge to Playwright loads axe twice a look, which takes longer than the look. */
async function runAxe(page: Page): Promise<axe.Result[]> {
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => "axe" in globalThis)) continue;
    await frame.evaluate(AXE_SOURCE);
  }
  return page.evaluate(async (options) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await injected.run(document, options);
    return violations;
  }, AXE_OPTIONS);
}

/** What axe objects to, one line each, so that a failed `toEqual([])` can be read. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // What still fades in has a contrast of its own for a moment.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
        .map((each) => each.finished),
    ),
  );
  const violations = await runAxe(page);
  // Texts that stand beside one another, as two versions of one, have tables of the same name.
  const isTableOfText = (target: string) => /\.table-frame[^>]*$/.test(target);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ target }) => id !== "landmark-unique" || !isTableOfText(target.join(" ")))
      .map((node) => `${id}: ${help} — ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
  );
}
