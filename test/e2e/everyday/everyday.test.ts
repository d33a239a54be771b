import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect } from "vitest";
import routes from "#app/routes.ts";
import { newPage } from "../support/browser.ts";
import { signInByForm } from "../support/account.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { caseReportTest as test } from "../fixtures.ts";
import { CONDITIONS, lowerToFloor } from "./conditions.ts";
import { PAGES, WITHOUT_ROW } from "./pages.ts";
import { returnAfterStep, STEPS, walkPage } from "./walk.ts";

const PEOPLE = { guest: null, member: MEMBER_CREDENTIALS, admin: ADMIN_CREDENTIALS };

/** Route paths without the console and the English pages, which reuse the same screens. */
function pathsOf(entries: readonly RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap(({ path, file, children, index }) => {
    const full = [above, path].filter(Boolean).join("/");
    if (/^(?:admin|en)$/.test(full) || file.endsWith(".ts") || path === "*") return [];
    return [...(children && !index ? pathsOf(children, full) : []), ...(children ? [] : [full])];
  });
}

test("every page of the site has a row or a documented exception", () => {
  const paths = pathsOf(routes as RouteConfigEntry[]);
  const fits = (route: string) => {
    const pattern = new RegExp(
      `^/${route
        .replace(/\/:\w+\?/g, "(?:/[^/]+)?")
        .replace(/:product/g, "pid")
        .replace(/:\w+/g, "[^/]+")}/?$`,
      "i",
    );
    return PAGES.some(({ path }) => pattern.test(path.replace(/\?.*/, "")));
  };
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((route) => !(route in WITHOUT_ROW) && !fits(route))).toEqual([]);
  expect(Object.keys(WITHOUT_ROW).filter((route) => !paths.includes(route))).toEqual([]);
});

const tried = sample(
  Object.entries(CONDITIONS),
  ([name]) => name,
  ([, { onEveryPage }]) => `${onEveryPage}`,
);

test.for(tried)(
  `with %s each page keeps its input (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ([name, condition], { browser, site, db }) => {
    const faults: Record<string, string[]> = {};
    const note = (at: string, found: string[]) => (found.length > 0 ? (faults[at] = found) : undefined);
    const asked = PAGES.filter(
      (row) => (condition.onEveryPage || row.isSample) && !(condition.isEnded && !PEOPLE[row.who]),
    );
    const closed = asked.filter((row) => !row.isOpen);
    const opened = sample(asked, (row) => `${name} ${row.who} ${row.path}`);
    for (const [who, credentials] of Object.entries(PEOPLE)) {
      const rows = opened.filter((row) => row.who === who);
      if (rows.length === 0) continue;
      const page = await newPage(browser, site.url);
      // Playwright's `route` would disable the browser's cache.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.enable");
      await devtools.send("Network.setBlockedURLs", { urls: ["*.woff2", "*.png", "*.jpg", "*.webp", "*/api/file/*"] });
      await condition.install?.(page);
      const person = {
        credentials,
        endSession: async () =>
          void (await db.prepare("UPDATE session SET revoked_date = 1 WHERE revoked_date IS NULL").run()),
      };
      if (credentials) {
        await page.goto("/account/signin?returnUrl=%2Fterms");
        await signInByForm(page, credentials.userKeyCode, credentials.password);
        await page.waitForURL("**/terms");
      }
      await condition.installLater?.(page);
      for (const row of rows) {
        const before = ["DELETE FROM rate_limit", ...(row.before ?? [])];
        await db.batch(before.map((statement) => db.prepare(statement)));
        const step = STEPS[closed.indexOf(row) % STEPS.length] ?? "link";
        if (condition.isEnded && !row.isOpen)
          note(`${who} ${row.path}, ${step}`, await returnAfterStep(page, row, person, step));
        if (!condition.isEnded || row.press) note(`${who} ${row.path}`, await walkPage(page, row, condition, person));
      }
      await page.context().close();
    }
    expect(faults).toEqual({});
  },
);

test("the polyfills run before each module in the oldest supported browser", async ({ openGuest }) => {
  const page = await openGuest();
  await page.addInitScript(lowerToFloor);
  const note = `(globalThis.lacking ??= []).push(...["toSorted", "toReversed", "toSpliced", "with"].filter((name) => !(name in Array.prototype)), ...(URL.canParse ? [] : ["canParse"]));`;
  let modules = 0;
  await page.route("**/assets/*.js", async (route) => {
    const response = await route.fetch();
    modules += 1;
    await route.fulfill({ response, body: note + (await response.text()) });
  });
  await page.goto("/Account/FindId");
  expect(await page.evaluate("globalThis.lacking")).toEqual([]);
  expect(modules).toBeGreaterThan(5);
});
