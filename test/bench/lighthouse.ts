import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";
import { startCaseReportStub } from "#worker/local/case-report-stub.ts";
import { startSite } from "#worker/local/site.ts";
import { findBrowser } from "../e2e/support/chromium.ts";

// Lighthouse with mobile settings, best of three runs, because other load only lowers the performance score.
const BARS = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 } as const;
const CLS_MAX = 0.05;
const PAGE_KB = 250;
const RUNS = Number(process.env.RUNS || 3);
// Phones have a Hangul font and the test browser has none, so the site's font is lent.
const HAS_HANGUL = process.env.HANGUL !== "lent";
const [, , ...chosen] = process.argv;
const READERS_PAGES = [
  "/",
  "/board/notice/List/",
  "/board/notice/View/60",
  "/pid/center",
  "/pid/center/seoul",
  "/pid/residence",
  "/pid/about",
];
const PAGES = chosen.length > 0 ? chosen : READERS_PAGES;
const CLI = resolve(import.meta.dirname, "../../node_modules/lighthouse/cli/index.js");

type Category = keyof typeof BARS;
interface LighthouseReport {
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { score: number | null; displayValue?: string; numericValue?: number; details?: { items?: AuditItem[] } }
  >;
}
interface AuditItem {
  url: string;
  transferSize?: number;
  resourceType?: string;
}

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const stub = await startCaseReportStub();
const site = await startSite({ port: 0, persistTo: folder, quiet: true, vars: { CASE_REPORT_URL: stub.url } });

/** Compresses texts like Cloudflare, which workerd alone does not do. */
const compressingServer = createServer((incoming, outgoing) => {
  if (HAS_HANGUL && incoming.url === "/hangul-font.js") {
    outgoing.writeHead(200, { "content-type": "text/javascript" }).end();
    return;
  }
  const { host: _host, ...headers } = incoming.headers;
  ask(site.url + incoming.url, { method: incoming.method ?? "GET", headers }, (answer) => {
    const { "content-length": _length, ...rest } = answer.headers;
    const isText = /text|javascript|json|xml|svg/.test(answer.headers["content-type"] ?? "");
    if (!isText || answer.headers["content-encoding"]) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, { ...rest, "content-encoding": "gzip" });
    answer.pipe(createGzip()).pipe(outgoing);
  }).end();
});
await new Promise<void>((done) => compressingServer.listen(0, "127.0.0.1", done));
const origin = `http://localhost:${(compressingServer.address() as AddressInfo).port}`;

async function measure(path: string): Promise<LighthouseReport> {
  const { path: browser, env } = await findBrowser();
  const file = join(folder, "report.json");
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const options = ["--output=json", `--output-path=${file}`, "--quiet", "--no-enable-error-reporting"];
  await promisify(execFile)(process.execPath, [CLI, origin + path, ...options, `--chrome-flags=${flags.join(" ")}`], {
    env: { ...process.env, ...env, CHROME_PATH: browser },
  });
  return JSON.parse(readFileSync(file, "utf8")) as LighthouseReport;
}

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
let failed = false;
try {
  await fetch(`${site.url}/pid/residence`);
  console.log(`${"page".padEnd(26)} perf a11y best  seo    CLS  LCP s   kB`);
  for (const path of PAGES) {
    await fetch(origin + path);
    const reports: LighthouseReport[] = [];
    for (let run = 0; run < RUNS; run += 1) reports.push(await measure(path));
    const score = (name: Category) =>
      Math.round(Math.max(...reports.map((report) => report.categories[name].score * 100)));
    const number = (id: string) => medianOf(reports.map((report) => report.audits[id]?.numericValue ?? 0));
    const cls = number("cumulative-layout-shift");
    const kb = medianOf(
      reports.map((report) =>
        (report.audits["network-requests"]?.details?.items ?? [])
          .filter(({ resourceType }) => resourceType !== "Image")
          .reduce((sum, { transferSize = 0 }) => sum + transferSize / 1000, 0),
      ),
    );
    const names = Object.keys(BARS) as Category[];
    const scores = names.map(score);
    const lcp = (number("largest-contentful-paint") / 1000).toFixed(2);
    console.log(
      `${path.padEnd(26)} ${scores.map((each) => String(each).padStart(4)).join(" ")} ${cls.toFixed(3).padStart(6)} ${lcp.padStart(6)} ${kb.toFixed(0).padStart(4)}`,
    );
    if (cls > CLS_MAX || kb > PAGE_KB || names.some((name, at) => (scores[at] ?? 0) < BARS[name])) failed = true;
    const best = reports.toSorted((a, b) => b.categories.performance.score - a.categories.performance.score)[0];
    for (const name of names) {
      for (const { id, weight } of best?.categories[name].auditRefs ?? []) {
        const audit = best?.audits[id];
        if (weight > 0 && audit && audit.score !== null && audit.score < 0.9)
          console.log(`    ${name}: ${id} ${audit.score}`);
      }
    }
  }
  console.log(failed ? "A bar does not hold." : "All bars hold.");
} finally {
  compressingServer.close();
  stub.close();
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
