import type { Page } from "playwright-core";
import { expect } from "vitest";
import { CONSOLE_SCREENS } from "#worker/contract/kernel/console/console-pages.ts";
import { PAGE_PATHS } from "../../calls/page-paths.ts";
import { consoleAddress, CONSOLE_SAMPLE_ID, SAMPLE_ROWS, UNKNOWN_ID } from "../../calls/sample-paths.ts";
import { caseReportTest as test } from "../fixtures.ts";
import { newTab } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";

const TABS = 4;
const PATHS = [
  ...PAGE_PATHS.filter((path) => !path.startsWith("/admin") && !/\.(?:xml|txt|ics|webmanifest)$/.test(path)).map(
    (path) => path.replace(UNKNOWN_ID, () => CONSOLE_SAMPLE_ID),
  ),
  "/search?keyword=안내",
];

/** Attributes that differ from React's properties, which its production build does not compare. */
function findMismatches(): string[] {
  const names: Record<string, string> = { className: "class", htmlFor: "for", tabIndex: "tabindex" };
  const compared = /^(?:className|htmlFor|tabIndex|id|href|src|alt|title|type|name|role|lang|aria-.+|data-.+)$/;
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const key = Object.keys(element).find((each) => each.startsWith("__reactProps$"));
    const props = key ? (element as unknown as Record<string, Record<string, unknown>>)[key] : undefined;
    return Object.entries(props?.suppressHydrationWarning ? {} : (props ?? {})).flatMap(([name, value]) => {
      if (!compared.test(name) || !["string", "number"].includes(typeof value)) return [];
      const shown = element.getAttribute(names[name] ?? name);
      return shown === String(value) ? [] : [`${element.tagName} ${name} ${shown} instead of ${String(value)}`];
    });
  });
}

test("every page hydrates without a warning for guest, member and administrator", async ({ db, openGuest, openAs }) => {
  await db.batch(SAMPLE_ROWS.map((row) => db.prepare(row)));
  const someone = await db.prepare("SELECT id FROM user WHERE user_type = 'Member' LIMIT 1").first<string>("id");
  const paths = [...PATHS, ...CONSOLE_SCREENS.map(({ path }) => consoleAddress(path, someone))];
  const pages = { guest: openGuest(), member: openAs(MEMBER_CREDENTIALS), administrator: openAs(ADMIN_CREDENTIALS) };
  type Reader = keyof typeof pages;
  const faults: Record<string, string[]> = {};
  const counts: Record<Reader, number> = { guest: 0, member: 0, administrator: 0 };
  const refusals = new Set<string>();
  const walk = async (who: Reader, tab: Page, waiting: string[]) => {
    let path: string | undefined;
    tab.on("console", (message) => {
      if (/^(?:warning|error)$/.test(message.type()) && !message.text().startsWith("Failed to load resource"))
        (faults[`${who} ${path}`] ??= []).push(message.text());
    });
    tab.on("pageerror", (error) => (faults[`${who} ${path}`] ??= []).push(error.message));
    // Playwright's `route` would disable the browser's cache.
    const devtools = await tab.context().newCDPSession(tab);
    await devtools.send("Network.enable");
    await devtools.send("Network.setBlockedURLs", { urls: ["*.woff2", "*.png", "*.jpg", "*.webp", "*/api/*"] });
    while ((path = waiting.shift())) {
      const answer = await tab.context().request.get(path, { maxRedirects: 0 });
      const status = answer.status();
      // A redirect leads to another address of the list, and all refusals show one page.
      if (status !== 200 && (status < 400 || refusals.has(`${who} ${status}`))) continue;
      if (status !== 200) refusals.add(`${who} ${status}`);
      // Pages for readers do not hydrate.
      if (!(await answer.text()).includes("__reactRouterContext")) continue;
      await tab.goto(path, { waitUntil: "commit" });
      await tab.locator("html[data-listens]").waitFor({ state: "attached" });
      const found = await tab.evaluate(findMismatches);
      if (found.length > 0) (faults[`${who} ${path}`] ??= []).push(...found);
      counts[who] += 1;
    }
  };
  for (const [who, opened] of Object.entries(pages) as [Reader, Promise<Page>][]) {
    const context = (await opened).context();
    const waiting = [...paths];
    await Promise.all(Array.from({ length: TABS }, async () => walk(who, await newTab(context), waiting)));
  }
  expect(faults).toEqual({});
  const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least);
  expect(counts).toEqual({ guest: atLeast(15), member: atLeast(65), administrator: atLeast(125) });
});
