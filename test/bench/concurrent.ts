import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSite } from "#worker/local/site.ts";
import { addItems, addPeople, COMMON_WORD, RARE_WORD } from "./load.ts";
import { removeLimits } from "../support/test-site.ts";

// Measures home page throughput (at least a third) and 99th percentile (at most five times) under heavy work.
const ITEMS = Number(process.env.ITEMS ?? 20_000);
const PEOPLE = Number(process.env.PEOPLE ?? 50_000);
const READERS = 10;
const SECONDS = Number(process.env.SECONDS ?? 10);
const IMPORTED = 5000;

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
let token = "";

async function call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
  const { code, data } = (await response.json()) as { code: string; data: Record<string, unknown> };
  if (code !== "SUCCESS") throw new Error(`${path}: ${code}`);
  return data;
}

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(site.url + path, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return text;
}

const signIn = (userKeyCode: string, password: string) =>
  call("POST", "/api/user/signin", { userKeyType: "Id", userKeyCode, password });
const untilOver = async (isOver: () => boolean, work: () => Promise<unknown>) => {
  while (!isOver()) await work();
};

let imports = 0;
async function importPeople(): Promise<void> {
  imports += 1;
  const rows = Array.from(
    { length: IMPORTED },
    (_, at) => `들인사람${imports},${at % 40},in${imports}x${at}@pid.example.kr`,
  );
  const content = ["이름,기수,이메일", ...rows].join("\n");
  const ticket = await call("POST", "/api/alumni/upload-url", {
    fileName: "명단.csv",
    size: new TextEncoder().encode(content).length,
  });
  await fetch(site.url + String(ticket.uploadUrl), { method: "PUT", body: content });
  await call("POST", "/api/alumni/import-data", { fileId: ticket.fileId, mode: "upsert", dryRun: false });
}

async function crawl(): Promise<void> {
  const index = await read("/sitemap.xml");
  for (const [, address = ""] of index.matchAll(/<loc>([^<]+)<\/loc>/g)) {
    const { pathname, search } = new URL(address.replaceAll("&amp;", "&"));
    if (/sitemap/.test(pathname)) await read(pathname + search);
  }
}

const BURDENS: Record<string, (isOver: () => boolean) => Promise<unknown>> = {
  "two searchers": (isOver) => {
    const member = { Cookie: `accessToken=${token}` };
    const search = (word: string) =>
      untilOver(isOver, () => read(`/search?keyword=${encodeURIComponent(word)}`, member));
    return Promise.all([search(COMMON_WORD), search(RARE_WORD)]);
  },
  [`imports of ${IMPORTED}`]: (isOver) => untilOver(isOver, importPeople),
  "exports of all people": (isOver) =>
    untilOver(isOver, async () => {
      const { total: count } = await call("POST", "/api/alumni/print-count", { segment: { filter: {} } });
      return call("POST", "/api/alumni/export-data", { filter: {}, format: "xlsx", count, reason: "측정" });
    }),
  "a crawler of the sitemap": (isOver) => untilOver(isOver, crawl),
  "a sign-in each second": (isOver) =>
    untilOver(isOver, async () => {
      const next = performance.now() + 1000;
      await signIn("member01", "Member!2345");
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }),
};

async function measureReaders(isOver: () => boolean) {
  const times: number[] = [];
  const start = performance.now();
  const readHome = async () => {
    const began = performance.now();
    await read("/");
    times.push(performance.now() - began);
  };
  await Promise.all(Array.from({ length: READERS }, () => untilOver(isOver, readHome)));
  const seconds = (performance.now() - start) / 1000;
  return { rate: times.length / seconds, p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0 };
}

const endsIn = (seconds: number) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
};

try {
  await removeLimits((await site.mf.getBindings<Env>()).DB);
  await addItems(site, 0, ITEMS);
  await addPeople(site, 0, PEOPLE);
  token = String((await signIn("admin", "Admin!2345")).accessToken);
  await measureReaders(endsIn(2));
  const table: Record<string, Record<string, string>> = {};
  for (const [what, work] of Object.entries(BURDENS)) {
    // Measured before and after, because other load on the machine changes.
    const before = await measureReaders(endsIn(SECONDS / 2));
    const isOver = endsIn(SECONDS);
    let error = "";
    const [found] = await Promise.all([
      measureReaders(isOver),
      work(isOver).catch((cause: unknown) => (error = String(cause))),
    ]);
    const after = await measureReaders(endsIn(SECONDS / 2));
    const alone = (by: "rate" | "p99") => (before[by] + after[by]) / 2;
    table[what] = {
      "alone, a second": alone("rate").toFixed(0),
      "of the rate alone": (found.rate / alone("rate")).toFixed(2),
      "p99, x alone": (found.p99 / alone("p99")).toFixed(1),
      "p99 ms": found.p99.toFixed(0),
      error,
    };
  }
  console.log(`readers of home during heavy work: ${PEOPLE} people, ${ITEMS} items`);
  console.table(table);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
