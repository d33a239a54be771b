import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { openRequestScope } from "#worker/context.server.ts";
import { duplicatesQuery, listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { listItemsQuery, searchPageQuery } from "#worker/contract/board/input.ts";
import { listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { getHomePage } from "#worker/domain/site/home.server.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { requirePresent } from "../support/require-present.ts";
import { removeLimits } from "../support/test-site.ts";
import { countRowsReadDatabase } from "../support/rows-read.ts";
import { cpuMsOf } from "../support/cpu.ts";
import { ownIsolateShare } from "../support/isolate-share.ts";
import { type PeerBoard, startGnuboard } from "./gnuboard.ts";
import { addItems, addPeople, COMMON_WORD, ITEMS_BEFORE, RARE_PLACE, RARE_WORD } from "./load.ts";

// Measures CPU as a multiple of a hello Worker or of a gnuboard5 (`GNUBOARD=FOLDER`), and D1 rows and trips.
const sizesOf = (given: string | undefined, usual: string) => (given ?? usual).split(",").map(Number);
const ITEMS = sizesOf(process.env.ITEMS, "1000,20000");
const PEOPLE = sizesOf(process.env.PEOPLE, "1000,50000");
const REQUESTS = Number(process.env.REQUESTS ?? 180);

type Read = (scope: RequestScope) => Promise<unknown>;
interface BenchPage {
  what: string;
  path: (items: number) => string;
  read: (items: number) => Read;
  peer?: (items: number) => string;
  /** Cached at the edge. */
  isKept?: true;
  grows: "items" | "people";
}

const SIZE = 20;
const middle = (items: number) => ITEMS_BEFORE + Math.floor(items / 2);
const board = (query: string): Pick<BenchPage, "path" | "read" | "grows"> => ({
  path: () => `/board/notice/List/?size=${SIZE}&${query}`,
  read: () => (scope) =>
    getBoardListPage(
      scope,
      listItemsQuery.parse(Object.fromEntries(new URLSearchParams(`boardCode=notice&size=${SIZE}&${query}`))),
    ),
  grows: "items",
});
const deepPage = (items: number) => `page=${Math.floor(items / SIZE)}`;
const search = (keyword: string, more: Record<string, string> = {}): Pick<BenchPage, "path" | "read" | "grows"> => ({
  path: () => `/search?${new URLSearchParams({ keyword, ...more })}`,
  read: () => (scope) => getSearchPage(scope, searchPageQuery.parse({ keyword, ...more })),
  grows: "items",
});
const people = (query: string): Pick<BenchPage, "path" | "read" | "grows"> => ({
  path: () => `/Alumni?${query}`,
  read: () => (scope) =>
    getAlumniListPage(scope, listAlumniQuery.parse(Object.fromEntries(new URLSearchParams(query)))),
  grows: "people",
});
const peerSearch = (keyword: string) =>
  `/bbs/search.php?sfl=wr_subject%7C%7Cwr_content&stx=${encodeURIComponent(keyword)}`;
const PAGES: BenchPage[] = [
  { what: "home", path: () => "/", read: () => getHomePage, peer: () => "/", isKept: true, grows: "items" },
  { what: "list", ...board("page=1"), peer: () => "/bbs/board.php?bo_table=notice", isKept: true },
  {
    what: "list, last page",
    ...board(""),
    path: (items) => board(deepPage(items)).path(items),
    read: (items) => board(deepPage(items)).read(items),
    peer: (items) => `/bbs/board.php?bo_table=notice&${deepPage(items)}`,
  },
  { what: "list by views", ...board("sort=viewCount,DESC") },
  {
    what: "item",
    path: (items) => `/board/notice/View/${middle(items)}`,
    read: (items) => (scope) => getBoardViewPage(scope, { boardCode: "notice", itemNo: middle(items) }),
    peer: (items) => `/bbs/board.php?bo_table=notice&wr_id=${middle(items)}`,
    isKept: true,
    grows: "items",
  },
  { what: "search, word of all", ...search(COMMON_WORD), peer: () => peerSearch(COMMON_WORD) },
  { what: "search, 1 in 1,000", ...search(RARE_WORD), peer: () => peerSearch(RARE_WORD) },
  { what: "search, two words", ...search(`${COMMON_WORD} ${RARE_WORD}`) },
  { what: "search, long word", ...search(`${RARE_WORD}질환`) },
  { what: "search, nowhere", ...search("흐흫"), peer: () => peerSearch("흐흫") },
  { what: "search, writer in texts", ...search("편집부", { target: "content" }) },
  { what: "people", ...people("") },
  { what: "people of a cohort", ...people("cohort=3") },
  { what: "people, rare word", ...people(`keyword=${RARE_PLACE}`) },
  { what: "people, two words", ...people(`keyword=${RARE_PLACE}+교수`) },
  { what: "people, word of half", ...people("keyword=교수") },
  { what: "people, nowhere", ...people("keyword=흐흫흫") },
  {
    what: "duplicates",
    path: () => "/Alumni/Duplicates",
    read: () => async (scope) => listDuplicates(await scope.context(), duplicatesQuery.parse({})),
    grows: "people",
  },
];

const scriptsOf = (html: string) =>
  new Set(
    [...html.matchAll(/(?:<link rel="modulepreload" href=|from |import\(?\s*)"([^"]+\.js)"/g)].map(([, file]) => file),
  ).size;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
/** Half of the rounds lie within this share of their median. */
const spread = (values: number[]) => median(values.map((value) => Math.abs(value / median(values) - 1)));

const ROW_LINK = /(?:\/board\/[\w-]+\/View\/\d+|[?;]person=[\w-]+|wr_id=\d+)/g;
const rowsShown = (html: string) => new Set(html.match(ROW_LINK)).size;

async function ask(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity", ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return text;
}

interface Target {
  ask: () => Promise<string>;
  cpuMs: () => number;
}

const TURNS = 9;

/** CPU as a multiple of the first target in each round, because the machine's speed changes. */
async function cpuOf(targets: Record<string, Target>): Promise<Record<string, number[]>> {
  const shown: Record<string, number> = {};
  const turn = async (name: string, target: Target, times: number) => {
    const before = target.cpuMs();
    for (let n = 0; n < times; n += 1) {
      const rows = rowsShown(await target.ask());
      // A refusal or an empty page would be measured as a quick one.
      if (rows !== (shown[name] ??= rows)) throw new Error(`${name} shows ${rows} rows instead of ${shown[name]}`);
    }
    return (target.cpuMs() - before) / times;
  };
  const found: Record<string, number[]> = {};
  for (const [name, target] of Object.entries(targets)) await turn(name, target, 10);
  for (let round = 0; round < TURNS; round += 1) {
    let unit: number | undefined;
    for (const [name, target] of Object.entries(targets)) {
      // Its caches are cold after the other targets.
      await turn(name, target, 2);
      const cost = await turn(name, target, Math.ceil(REQUESTS / TURNS));
      unit ??= cost;
      (found[name] ??= []).push(cost / unit);
    }
  }
  return found;
}

/** Extra wait of a concurrent request in milliseconds. */
async function stretchOf(site: RunningSite, url: string, headers: Record<string, string>): Promise<number> {
  const waits: number[] = [];
  const finished = new AbortController();
  const ping = async () => {
    while (!finished.signal.aborted) {
      const start = performance.now();
      await ask(`${site.url}/robots.txt`);
      waits.push(performance.now() - start);
    }
  };
  const pinging = ping();
  for (let n = 0; n < 5; n += 1) await ask(url, headers);
  finished.abort();
  await pinging;
  return Math.max(...waits) - median(waits);
}

async function tokenOf(site: RunningSite, userKeyCode: string, password: string): Promise<string> {
  const response = await fetch(`${site.url}/api/user/signin`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userKeyType: "Id", userKeyCode, password }),
  });
  return ((await response.json()) as { data: { accessToken: string } }).data.accessToken;
}

async function countReads(site: RunningSite, token: string, read: Read): Promise<{ rows: number; trips: number }> {
  const bindings = await site.mf.getBindings<Env>();
  const { DB, rows, trips } = countRowsReadDatabase(bindings.DB);
  const later: Promise<unknown>[] = [];
  const scope = openRequestScope({
    request: new Request(`${site.url}/`),
    env: { ...bindings, DB },
    credential: { token },
    requestId: "bench",
    defer: (work) => void later.push(work),
  });
  await Promise.all([getSiteFrame(scope), read(scope)]);
  const found = { rows: rows(), trips: trips() };
  await Promise.all(later);
  return found;
}

/** The minimum of every member page: one trip to D1 with one row. */
const HELLO_FROM_D1 =
  'export default { fetch: async (_, env) => new Response(await env.DB.prepare("SELECT \'hello\' AS word").first("word")) };';

function startBare(contents: string): Miniflare {
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [
        {
          name: "bare",
          modules: [{ type: "ESModule", path: "bare.mjs", contents }],
          modulesRoot: ".",
          compatibilityDate: "2026-10-01",
          d1Databases: { DB: "bare" },
          assets: { directory: resolve("build/client"), routerConfig: { has_user_worker: true } },
        },
      ],
    }),
  );
}

/** CPU of workerd for the first answer after its start, milliseconds: the median of nine. */
async function firstAnswerMs(start: () => Promise<{ url: string; dispose(): Promise<void> }>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const fresh = await start();
    const before = allCpuMs();
    await ask(fresh.url);
    found.push(allCpuMs() - before);
    await fresh.dispose();
  }
  return median(found);
}

const BILLED_REQUESTS = 60;

/** The part of each target's CPU that Cloudflare bills; the rest is the local form's. */
async function billedShares(site: RunningSite, targets: Record<string, Target>): Promise<Record<string, string>> {
  const shares: Record<string, string> = {};
  for (const [name, target] of Object.entries(targets)) {
    const share = await ownIsolateShare(site, async () => {
      for (let n = 0; n < BILLED_REQUESTS; n += 1) await target.ask();
    });
    shares[`${name}, billed`] = share.toFixed(2);
  }
  return shares;
}

type Row = Record<string, string | number>;
const MEASURED = ["alone", "data", "kept, member", "kept, guest", "missed, guest"];

const allCpuMs = () => cpuMsOf(["workerd"], [process.pid]);
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const startHere = (inspects = false) => startSite({ port: 0, persistTo: folder, quiet: true, inspects });
await (await startHere()).dispose();
const firsts = [
  await firstAnswerMs(() => startHere()),
  await firstAnswerMs(async () => {
    const one = startBare(HELLO_FROM_D1);
    return { url: String(await one.ready), dispose: () => one.dispose() };
  }),
].map((ms) => ms.toFixed(0));
console.log(`the first answer of an isolate: ${firsts[0]} ms CPU, of a bare Worker with D1 ${firsts[1]}`);
const bare = startBare(HELLO_FROM_D1);
const bareUrl = String(await bare.ready);
const bareFromD1: Target = { ask: () => ask(bareUrl), cpuMs: allCpuMs };
const site = await startHere(true);
let peer: PeerBoard | null = null;
try {
  if (process.env.GNUBOARD) peer = await startGnuboard(process.env.GNUBOARD);
  const { url: peerUrl = "", cookie: peerCookie = "" } = peer ?? {};
  await removeLimits((await site.mf.getBindings<Env>()).DB);
  const cookies = {
    items: await tokenOf(site, "member01", "Member!2345"),
    people: await tokenOf(site, "admin", "Admin!2345"),
  };
  let origins = 0;
  /** Each origin has its own kept pages. */
  const askUnkept = async (path: string) => {
    const response = await site.mf.dispatchFetch(`http://localhost:${20_000 + (origins += 1)}${path}`);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    return response.text();
  };
  const dataPath = (path: string) => {
    const [before = "", query] = path.split("?");
    const data = before.endsWith("/") ? `${before}_.data` : `${before}.data`;
    return query === undefined ? data : `${data}?${query}`;
  };
  const first: Record<string, number> = {};
  let loaded = { items: 0, people: 0 };
  for (let at = 0; at < Math.max(ITEMS.length, PEOPLE.length); at += 1) {
    const size = { items: ITEMS[at] ?? loaded.items, people: PEOPLE[at] ?? loaded.people };
    const grown = { items: size.items > loaded.items, people: size.people > loaded.people };
    if (grown.items) await addItems(site, loaded.items, size.items);
    if (grown.items) peer?.addItems(loaded.items, size.items);
    if (grown.people) await addPeople(site, loaded.people, size.people);
    loaded = size;
    const table: Record<string, Row> = {};
    for (const page of PAGES.filter(({ grows }) => grown[grows])) {
      const token = cookies[page.grows];
      const member = { Cookie: `accessToken=${token}` };
      const path = page.path(size.items);
      const html = await ask(site.url + path, member);
      const ours = (url: string, headers: Record<string, string> = {}): Target => ({
        ask: () => ask(url, headers),
        cpuMs: allCpuMs,
      });
      const targets: Record<string, Target> = {
        // An unknown parameter forces a rendering for one member.
        alone: ours(`${site.url}${path}${path.includes("?") ? "&" : "?"}alone=1`, member),
        data: ours(site.url + dataPath(path), member),
        ...(page.isKept && {
          "kept, member": ours(site.url + path, member),
          "kept, guest": ours(site.url + path),
          "missed, guest": { ask: () => askUnkept(path), cpuMs: allCpuMs },
        }),
      };
      const cost = await cpuOf({
        trip: bareFromD1,
        ...targets,
        ...(peer &&
          page.peer && {
            peer: {
              ask: () => ask(peerUrl + requirePresent(page.peer)(size.items), { Cookie: peerCookie }),
              cpuMs: peer.cpuMs,
            },
          }),
      });
      const alone = cost.alone ?? [];
      const before = (first[page.what] ??= median(alone));
      const { rows, trips } = await countReads(site, token, page.read(size.items));
      const ofPeer = (name: string) => {
        const [values, peers] = [cost[name], cost.peer];
        return values && peers ? median(values.map((value, round) => value / (peers[round] ?? 1))).toFixed(2) : "";
      };
      const ofTrip = (name: string) => (cost[name] ? median(cost[name]).toFixed(2) : "");
      table[page.what] = {
        ...(peer && Object.fromEntries(MEASURED.map((name) => [`${name} / peer`, ofPeer(name)]))),
        ...Object.fromEntries(MEASURED.map((name) => [`${name} / trip`, ofTrip(name)])),
        ...(await billedShares(site, targets)),
        growth: (median(alone) / before).toFixed(2),
        "spread ±": spread(alone).toFixed(2),
        "rows shown": rowsShown(html),
        "rows read": rows,
        trips,
        "HTML kB": (Buffer.byteLength(html) / 1000).toFixed(1),
        scripts: scriptsOf(html),
        "stretch ms": (await stretchOf(site, site.url + path, member)).toFixed(0),
      };
    }
    console.log(`${size.items} items, ${size.people} people`);
    console.table(table);
  }
} finally {
  await peer?.stop();
  await site.dispose();
  await bare.dispose();
  rmSync(folder, { recursive: true, force: true });
}
