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

/** A page in a new context, Korean, 1280 px wide and with reduced motion by default. */
export async function newPage(browser: Browser, baseURL: string, options: NewPageOptions = {}): Promise<Page> {
  const { width = 1280, height = 900, ...rest } = options;
  const settings: BrowserContextOptions = {
    locale: "ko-KR",
    timezoneId: "Asia/Seoul",
    // Fades would delay every step; tests of motion enable it.
    reducedMotion: "reduce",
    ...rest,
  };
  const context = await browser.newContext({ ...settings, baseURL, viewport: { width, height } });
  // Fails hanging steps, not slow ones on a busy machine.
  context.setDefaultTimeout(60_000);
  const get = context.request.get.bind(context.request);
  // Retries closed connections like `test/support/own-connections.ts`; the browser itself retries already.
  context.request.get = (url, asked) => get(url, { maxRetries: 3, ...asked });
  return options.javaScriptEnabled === false ? context.newPage() : newTab(context);
}

/** A tab whose navigations wait for hydration. */
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

/** Waits for hydration (`app/lib/early-press.ts`). Needed only after a form or link loaded a whole page. */
export async function listens(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.locator("html[data-listens], html:not(:has(script[nonce]))").first().waitFor({ state: "attached" });
}

/** Holds the responses of matching requests until the returned function is called. */
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

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

const AXE_OPTIONS: axe.RunOptions = {
  runOnly: RULES,
  resultTypes: ["violations"],
  // An unfinished table has empty headers.
  rules: { "empty-table-header": { enabled: false } },
};

const MEASURING_RULES_OFF = { "color-contrast": { enabled: false }, "target-size": { enabled: false } };

const AXE_FILE = join(import.meta.dirname, "../../../node_modules/axe-core/axe.min.js");
const AXE_SOURCE = readFileSync(AXE_FILE, "utf8");

/** Views measured for contrast and target size, which take half of a run. */
const measured = new Set<string>();

/** A page, its open dialog and its width, without the parts that differ by row. */
const kindOfView = async (page: Page): Promise<string> => {
  const dialog = await page.evaluate(() => {
    const open = document.querySelector("dialog[open]");
    return open?.getAttribute("aria-label") ?? open?.querySelector("h2")?.textContent ?? (open ? "dialog" : "");
  });
  const path = new URL(page.url()).pathname.toLowerCase().replace(/\d+|[\da-f-]{36}/g, "0");
  // A dialog looks alike over every page.
  return `${dialog || path} ${page.viewportSize()?.width}`;
};

/** Injects axe once a document; the Playwright bridge of axe loads it twice a run. */
async function runAxe(page: Page): Promise<axe.Result[]> {
  const view = await kindOfView(page);
  const isMeasured = measured.has(view);
  measured.add(view);
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => "axe" in globalThis)) continue;
    await frame.evaluate(AXE_SOURCE);
  }
  const rules = isMeasured ? { ...AXE_OPTIONS.rules, ...MEASURING_RULES_OFF } : AXE_OPTIONS.rules;
  return page.evaluate(
    async (options) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await injected.run(document, options);
      return violations;
    },
    { ...AXE_OPTIONS, rules },
  );
}

/** Axe violations as one line each, for a readable failing `toEqual([])`. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // Fading elements have a temporary contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
        .map((each) => each.finished),
    ),
  );
  const violations = await runAxe(page);
  // Two versions of a text shown together have tables of the same name.
  const isTableOfText = (target: string) => /\.table-frame[^>]*$/.test(target);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ target }) => id !== "landmark-unique" || !isTableOfText(target.join(" ")))
      .map((node) => `${id}: ${help} — ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
  );
}
