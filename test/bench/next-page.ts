import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { nextPageRules } from "#app/features/site/reader/next-pages.ts";
import { startSite } from "#worker/local/site.ts";

// How soon a guest sees the page that they open next: the largest contentful paint after the press, where the pointer rested on
// the link before, beside a page of one line in the same run. The bar is 100 ms. It takes a whole Chrome, because the one of the tests renders nothing ahead:
// CHROME_PATH=/usr/bin/chromium node test/bench/next-page.ts
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
/** A page of one line, with the same rules. */
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
  // Asked in vain while one document takes the place of the other.
  while ((await page.evaluate(() => location.pathname).catch(() => "")) !== href)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return page.evaluate(async (): Promise<Opening> => {
    const [navigation] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
      activationStart: number;
    })[];
    const start = navigation?.activationStart ?? 0;
    // What is painted until the page rests for half a second is its largest.
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
    // The first is not counted: the site and the browser have their caches to fill.
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
