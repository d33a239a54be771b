import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { nextPageRules } from "#app/features/site/reader/reader-page.ts";
import { startSite } from "#worker/local/site.ts";

// Measures the LCP after a press on a hovered link; the bar is 100 ms. Needs a whole Chrome in `CHROME_PATH`.
const BAR_MS = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const REST_MS = 1000;
const LINKS = ["/board/notice/List/", "/board/notice/View/60", "/pid/center/seoul", "/pid/registration"];

const executablePath = process.env.CHROME_PATH;
if (executablePath === undefined) {
  console.log("The next page is not measured: CHROME_PATH names no Chrome.");
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
const bare = createServer((_request, response) => {
  const rules = nextPageRules("pid");
  response
    .setHeader("content-type", "text/html")
    .end(
      `<!doctype html><script type="speculationrules">${rules}</script><main><a href="/board/notice/List/">next</a></main>`,
    );
});
await new Promise<void>((resolve) => bare.listen(0, resolve));
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });

interface Opening {
  wasAhead: boolean;
  paintMs: number;
}

async function openNext(page: Page, origin: string, href: string): Promise<Opening> {
  await page.goto(`${origin}/`, { waitUntil: "load" });
  const link = await page.waitForSelector(`main a[href="${href}"]`);
  await link?.scrollIntoView();
  await link?.hover();
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  await page.mouse.down();
  await page.mouse.up();
  // Fails while one document replaces the other.
  while ((await page.evaluate(() => location.pathname).catch(() => "")) !== href)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return page.evaluate(async (): Promise<Opening> => {
    const [navigation] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
      activationStart: number;
    })[];
    const start = navigation?.activationStart ?? 0;
    // The last paint before half a second of rest is the largest.
    const last = await new Promise<number>((resolve) => {
      let paint = 0;
      new PerformanceObserver((list) => {
        paint = list.getEntries().at(-1)?.startTime ?? paint;
        setTimeout(() => resolve(paint), 500);
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    return { wasAhead: start > 0, paintMs: Math.max(0, last - start) };
  });
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const measure = async (origin: string, href: string) => {
    // Skips the first opening, which fills the caches of site and browser.
    await openNext(page, origin, href);
    const openings: Opening[] = [];
    for (let round = 0; round < ROUNDS; round += 1) openings.push(await openNext(page, origin, href));
    const times = openings.map(({ paintMs }) => paintMs);
    return {
      "rendered ahead": `${openings.filter(({ wasAhead }) => wasAhead).length} of ${ROUNDS}`,
      "LCP ms": median(times).toFixed(0),
      "slowest ms": Math.max(...times).toFixed(0),
      bar: median(times) <= BAR_MS ? "kept" : "missed",
    };
  };
  const line = `http://localhost:${(bare.address() as AddressInfo).port}`;
  const table = { "a page of one line": await measure(line, "/board/notice/List/") };
  for (const href of LINKS) Object.assign(table, { [href]: await measure(site.url, href) });
  console.log(`The next page after the pointer rested on its link for ${REST_MS} ms:`);
  console.table(table);
} finally {
  await browser.close();
  bare.close();
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
