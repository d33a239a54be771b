import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PAGE_PATHS } from "../../calls/page-paths.ts";
import { CONSOLE_SAMPLE_ID, SAMPLE_ROWS, UNKNOWN_ID } from "../../calls/sample-paths.ts";
import { caseReportTest as test } from "../fixtures.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { newTab } from "../support/browser.ts";
import { watchHydration } from "../support/hydration.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";

const TABS = 4;
const PATHS = [
  ...PAGE_PATHS.filter((path) => !path.startsWith("/admin") && !/\.(?:xml|txt|ics|webmanifest)$/.test(path)).map(
    (path) => path.replace(UNKNOWN_ID, () => CONSOLE_SAMPLE_ID),
  ),
  "/search?keyword=안내",
];

// Public pages hydrate for guests in everywhere.test.ts, the console's in console-frame.test.ts.
test(
  `every page outside the console hydrates for each kind of person (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async ({ db, openGuest, openAs }) => {
    await db.batch(SAMPLE_ROWS.map((row) => db.prepare(row)));
    const pages = { guest: openGuest(), member: openAs(MEMBER_CREDENTIALS), administrator: openAs(ADMIN_CREDENTIALS) };
    type Reader = keyof typeof pages;
    const faults: Record<string, string[]> = {};
    const counts: Record<Reader, number> = { guest: 0, member: 0, administrator: 0 };
    const refusals = new Set<string>();
    const walk = async (who: Reader, tab: Page, waiting: string[]) => {
      const takeFaults = watchHydration(tab);
      // Playwright's `route` would disable the browser's cache.
      const devtools = await tab.context().newCDPSession(tab);
      await devtools.send("Network.enable");
      await devtools.send("Network.setBlockedURLs", { urls: ["*.woff2", "*.png", "*.jpg", "*.webp", "*/api/*"] });
      for (let path = waiting.shift(); path; path = waiting.shift()) {
        const answer = await tab.context().request.get(path, { maxRedirects: 0 });
        const status = answer.status();
        // A redirect leads to another address of the list, and all refusals show one page.
        if (status !== 200 && (status < 400 || refusals.has(`${who} ${status}`))) continue;
        if (status !== 200) refusals.add(`${who} ${status}`);
        // Pages for readers do not hydrate.
        if (!(await answer.text()).includes("__reactRouterContext")) continue;
        await tab.goto(path, { waitUntil: "commit" });
        await tab.locator("html[data-listens]").waitFor({ state: "attached" });
        const found = await takeFaults();
        if (found.length > 0) faults[`${who} ${path}`] = found;
        counts[who] += 1;
      }
    };
    for (const [who, opened] of Object.entries(pages) as [Reader, Promise<Page>][]) {
      const context = (await opened).context();
      const waiting = sample(PATHS, (path) => `${who} ${path}`);
      await Promise.all(Array.from({ length: TABS }, async () => walk(who, await newTab(context), waiting)));
    }
    expect(faults).toEqual({});
    const atLeast = (least: number) => expect.toSatisfy((count: number) => !isFull || count >= least);
    expect(counts).toEqual({ guest: atLeast(15), member: atLeast(65), administrator: atLeast(70) });
  },
);
