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
import { builtModules, type RunningSite, startSite } from "#worker/local/site.ts";
import { requirePresent } from "../support/require-present.ts";
import { countRowsReadDatabase } from "../support/rows-read.ts";
import { cpuMsOf } from "./cpu.ts";
import { type PeerBoard, startGnuboard } from "./gnuboard.ts";
import { addItems, addPeople, COMMON_WORD, ITEMS_BEFORE, RARE_PLACE, RARE_WORD } from "./load.ts";

// Measures CPU as a multiple of a hello Worker, D1 rows and trips, and blocking in milliseconds. `GNUBOARD=FOLDER`
// compares a gnuboard5.
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
  /** Cached at the edge for guests. */
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
  { what: "search, nowhere", ...search("흐흫") },
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

async function ask(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity", ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return text;
}

interface Target {
  url: string;
  headers?: Record<string, string>;
  cpuMs: () => number;
}

const TURNS = 9;

/** CPU as a multiple of the first target, the median of rounds, because the machine's speed changes. */
async function cpuOf(targets: Record<string, Target>): Promise<Partial<Record<string, number>>> {
  const turn = async ({ url, headers, cpuMs }: Target, times: number) => {
    const before = cpuMs();
    for (let n = 0; n < times; n += 1) await ask(url, headers);
    return (cpuMs() - before) / times;
  };
  const found: Record<string, number[]> = {};
  for (const target of Object.values(targets)) await turn(target, 10);
  for (let round = 0; round < TURNS; round += 1) {
    let unit: number | undefined;
    for (const [name, target] of Object.entries(targets)) {
      // Its caches are cold after the other targets.
      await turn(target, 2);
      const cost = await turn(target, Math.ceil(REQUESTS / TURNS));
      unit ??= cost;
      (found[name] ??= []).push(cost / unit);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
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

const HELLO = 'export default { fetch: () => new Response("hello") };';
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

/** CPU of workerd until it has evaluated the built Worker, milliseconds: the median of nine. */
async function startMs(modules: ReturnType<typeof builtModules> | null): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const before = allCpuMs();
    const contents = "export default { fetch: () => new Response() };";
    const mf = new Miniflare(
      convertV4MiniflareOptions({
        modules: modules ?? [{ type: "ESModule", path: "bare.mjs", contents }],
        modulesRoot: modules ? resolve("build/server") : ".",
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
      }),
    );
    await mf.ready;
    found.push(allCpuMs() - before);
    await mf.dispose();
  }
  return median(found);
}

type Row = Record<string, string | number>;

const allCpuMs = () => cpuMsOf(["workerd"], [process.pid]);
console.log(`a start: ${await startMs(builtModules())} ms CPU, of a bare Worker ${await startMs(null)}`);
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const bares = [startBare(HELLO), startBare(HELLO_FROM_D1)];
const [bare, bareFromD1] = await Promise.all(
  bares.map(async (each): Promise<Target> => ({ url: String(await each.ready), cpuMs: allCpuMs })),
);
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
let peer: PeerBoard | null = null;
try {
  if (process.env.GNUBOARD) peer = await startGnuboard(process.env.GNUBOARD);
  const cookies = {
    items: await tokenOf(site, "member01", "Member!2345"),
    people: await tokenOf(site, "admin", "Admin!2345"),
  };
  const times = (value: number | undefined, by = 1) => (value === undefined ? "" : (value / by).toFixed(2));
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
      const ours = (url: string, headers: Record<string, string> = {}): Target => ({ url, headers, cpuMs: allCpuMs });
      const cost = await cpuOf({
        bare: requirePresent(bare),
        bareFromD1: requirePresent(bareFromD1),
        ...(page.isKept && { kept: ours(site.url + path) }),
        // An unknown parameter forces a render.
        alone: ours(`${site.url}${path}${path.includes("?") ? "&" : "?"}alone=1`, member),
        member: ours(site.url + path, member),
        data: ours(site.url + dataPath(path), member),
        ...(peer &&
          page.peer && {
            peer: { url: peer.url + page.peer(size.items), headers: { Cookie: peer.cookie }, cpuMs: peer.cpuMs },
          }),
      });
      const before = (first[page.what] ??= requirePresent(cost.member));
      const { rows, trips } = await countReads(site, token, page.read(size.items));
      table[page.what] = {
        "D1 trip x": times(cost.bareFromD1),
        "alone x": times(cost.alone),
        "member x": times(cost.member),
        ".data x": times(cost.data),
        "kept x": times(cost.kept),
        ...(peer && {
          "peer x": times(cost.peer),
          "alone / peer": cost.peer ? times(cost.alone, cost.peer) : "",
          "member / peer": cost.peer ? times(cost.member, cost.peer) : "",
          ".data / peer": cost.peer ? times(cost.data, cost.peer) : "",
        }),
        growth: times(cost.member, before),
        rows,
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
  await Promise.all(bares.map((each) => each.dispose()));
  rmSync(folder, { recursive: true, force: true });
}
