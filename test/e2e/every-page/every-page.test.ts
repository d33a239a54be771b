import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { SAMPLE_ROWS } from "../../calls/sample-paths.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { caseReportTest } from "../fixtures.ts";
import { newPage } from "../support/browser.ts";
import { watchHydration } from "../support/hydration.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS, newSignedInPage } from "../support/signed-in-page.ts";
import { PLACED_QUESTIONS } from "./placed.ts";
import { findFaults } from "./questions.ts";
import { HEIGHTS, LISTS, listRows, type PageRow, type Reader } from "./rows.ts";

const test = caseReportTest.extend("pages", { scope: "file" }, async ({ db }) => {
  await db.batch(SAMPLE_ROWS.map((row) => db.prepare(row)));
  return listRows(await db.prepare("SELECT id FROM user WHERE user_type = 'Member' LIMIT 1").first<string>("id"));
});

/** The least number of pages that hydrate in the full tier; guests read most pages without the application. */
const HYDRATING: Record<Reader, number> = {
  "a guest on a phone": 0,
  "a guest on a wide screen": 15,
  "a member": 65,
  "an administrator": 70 + 55,
};
const READERS = Object.keys(HYDRATING) as Reader[];

const isGuest = (reader: Reader) => reader.startsWith("a guest");

/** Guests download the site's font and may see motion; others have the font, and no pictures. */
async function openAs(reader: Reader, launch: (downloadsFont: boolean) => Promise<Browser>, url: string) {
  // Motion is enabled, because no animation may run forever.
  if (isGuest(reader)) return newPage(await launch(true), url, { reducedMotion: "no-preference" });
  const person = reader === "a member" ? MEMBER_CREDENTIALS : ADMIN_CREDENTIALS;
  const page = await newSignedInPage(await launch(false), url, person);
  // Playwright's `route` would disable the browser's cache.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setBlockedURLs", { urls: ["*.woff2", "*.png", "*.jpg", "*.webp"] });
  return page;
}

/** Collects the hosts of other sites, and counts the fonts that are downloaded. */
function watchRequests(page: Page, url: string) {
  const foreign = new Set<string>();
  let fonts = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) fonts += 1;
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) foreign.add(request.url());
  });
  return { foreign, countFonts: () => fonts };
}

/** Missing letters look alike on a device without a Hangul font. */
const lacksHangul = (page: Page) =>
  page.evaluate(() => {
    const [hangul, nothing] = ["한", "\u{10FFFD}"].map((letter) => {
      const canvas = document.createElement("canvas");
      const pen = canvas.getContext("2d");
      if (pen) pen.font = "18px sans-serif";
      pen?.fillText(letter, 2, 20);
      return canvas.toDataURL();
    });
    return hangul === nothing;
  });

async function askPlaced(page: Page, row: PageRow): Promise<string[]> {
  const faults: string[] = [];
  for (const question of row.placed)
    await PLACED_QUESTIONS[question](page, row.width).catch((error: Error) =>
      faults.push(`${question}: ${error.message}`),
    );
  return faults;
}

/** Opens pages one after another. @returns the faults of each, and how many hydrated */
async function walk(page: Page, rows: readonly PageRow[]) {
  const faults: Record<string, string[]> = {};
  const takeFaults = watchHydration(page);
  const refusals = new Set<number>();
  let hydrated = 0;
  for (const row of rows) {
    await page.setViewportSize({ width: row.width, height: HEIGHTS[row.width] ?? 900 });
    if (row.kind === "application") {
      const status = (await page.context().request.get(row.path, { maxRedirects: 0 })).status();
      // A redirect leads to another row, and all refusals show one page.
      if (status !== 200 && (status < 400 || refusals.has(status))) continue;
      if (status !== 200) refusals.add(status);
    }
    const response = await page.goto(row.path);
    if (isGuest(row.reader) && row.width < 768)
      await page.locator('script[src="/hangul-font.js"]').waitFor({ state: "attached" });
    const found = await takeFaults();
    if (await page.locator("html[data-listens]").count()) hydrated += 1;
    if (row.kind === "console" && response?.status() !== 200) found.push(`status ${response?.status()}`);
    found.push(...(await findFaults(page, row)), ...(await askPlaced(page, row)), ...(await takeFaults()));
    if (found.length > 0) faults[`${row.path} at ${row.width}`] = found;
  }
  return { faults, hydrated };
}

test.for(READERS)(
  `each page fits its width without axe findings for %s (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (reader, { pages, site, launch }) => {
    const rows = sample(
      pages.filter((row) => row.reader === reader),
      (row) => `${row.reader} ${row.path} ${row.width}`,
      ({ kind }) => kind,
    );
    const page = await openAs(reader, launch, site.url);
    const { foreign, countFonts } = watchRequests(page, site.url);
    const { faults, hydrated } = await walk(page, rows);
    expect(faults).toEqual({});
    expect(hydrated).toBeGreaterThanOrEqual(isFull ? HYDRATING[reader] : 0);
    expect([...foreign]).toEqual([]);
    // Only a device without a Hangul font downloads ours on a phone.
    if (isGuest(reader)) expect(countFonts() > 0).toBe(!reader.includes("phone") || (await lacksHangul(page)));
    await page.context().close();
  },
);

test("each list of the console is a screen", () => {
  const paths = new Set(listRows(null).map(({ path }) => path.toLowerCase()));
  expect([...LISTS].filter((address) => !paths.has(address))).toEqual([]);
});
