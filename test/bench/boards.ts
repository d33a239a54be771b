import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { openRequestScope } from "#worker/context.server.ts";
import { type RequestScope } from "#worker/domain/kernel/context.ts";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { searchPageQuery } from "#worker/contract/board/search-input.ts";
import { getHomePage } from "#worker/domain/site/home-boards.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { countRowsReadDatabase } from "../rows-read.ts";
import { requirePresent } from "../require-present.ts";

// A board of 100,000 items on the built Worker, as multiples of a Worker on a copy of the same data that reads 20 rows
// by key and answers them as JSON. Milliseconds differ by machine; ratios and rows read hold.
const ITEMS = Number(process.env.ITEMS ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 100);
const SIZE = 20;
const LAST = Math.floor(ITEMS / SIZE);
const CHUNK = 2000;
/** Numbers that the demo's own items have. */
const BEFORE = 1000;
/** Stands in one item of a thousand; 연구 in all. */
const RARE = "희귀";
const COMMON = "연구";

const WORDS =
  "연구 등록 환자 면역 결핍 센터 자료 결과 회의 일정 안내 참여 기관 교육 과정 신청 변경 보고 지침 유전자 치료 검사 진단 학회 모집 계획 심의 동의서 서식 통계".split(
    " ",
  );
const word = (seed: number) => requirePresent(WORDS[(seed * 7919 + (seed >> 3)) % WORDS.length]);
const sentence = (at: number, length: number) => Array.from({ length }, (_, n) => word(at * 31 + n * 17)).join(" ");

/** Straight into the table, where triggers keep the counters; the words by the job that indexes what came in so. */
async function loadItems({ mf }: RunningSite): Promise<void> {
  const { DB: db } = await mf.getBindings<Env>();
  const worker = await mf.getWorker();
  const runJobs = () => worker.scheduled({ cron: "*/10 * * * *" });
  // The night's backup first, while there is little to back up.
  await runJobs();
  const first = Date.now() - 1000 - (BEFORE + ITEMS) * 20 * 60_000;
  for (let from = 0; from < ITEMS; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, ITEMS - from) }, (_, n) => {
      const at = BEFORE + from + n + 1;
      const body = `<p>연구를 위한 ${sentence(at, 40)}.</p><p>${sentence(at + 1, 40)}${at % 1000 === 0 ? ` ${RARE}질환` : ""}</p>`;
      return { at, title: `${sentence(at, 4)} ${at}`, body };
    });
    await db
      .prepare(
        `INSERT INTO board_item (board_code, item_no, title, content, category, created_user_id, created_user_name, created_date, modified_date, view_count)
         SELECT 'notice', value ->> 'at', value ->> 'title', value ->> 'body', CASE (value ->> 'at') % 5 WHEN 0 THEN '행사' ELSE '공지' END, 'bench', '편집부',
           ?1 + (value ->> 'at') * 1200000, ?1, (value ->> 'at') * 7919 % 5000 FROM json_each(?2)`,
      )
      .bind(first, JSON.stringify(rows))
      .run();
  }
  await db
    .prepare("UPDATE board SET last_item_no = ?1 WHERE board_code = 'notice'")
    .bind(BEFORE + ITEMS)
    .run();
  const stale = db.prepare("SELECT 1 FROM board_item_search WHERE is_stale = 1 LIMIT 1");
  while (await stale.first()) await runJobs();
}

/** The same data in a Worker that does nothing else. */
function bareWorker(folder: string): Miniflare {
  const script = `
    const QUERY = "SELECT board_code, item_no, title, category, is_pinned, is_secret, created_user_name, created_date, view_count, comment_count, file_count FROM board_item WHERE board_code = 'notice' AND item_no > ?1 AND item_no <= ?1 + ${SIZE} ORDER BY item_no DESC";
    export default { async fetch(request, env) {
      const { results } = await env.DB.prepare(QUERY).bind(${BEFORE + Math.floor(ITEMS / 2)}).all();
      return Response.json(results);
    } };`;
  const { d1_databases } = JSON.parse(readFileSync("build/server/wrangler.json", "utf8")) as {
    d1_databases: { database_id: string }[];
  };
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      resourcePersistencePath: join(folder, "v3"),
      workers: [
        {
          name: "bare",
          modules: [{ type: "ESModule", path: "bare.mjs", contents: script }],
          modulesRoot: ".",
          compatibilityDate: "2026-10-01",
          d1Databases: { DB: requirePresent(d1_databases[0]).database_id },
        },
      ],
    }),
  );
}

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
/** Process ids of the workerds that this process started. */
function workerds(): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"))
    .map(([pid]) => Number(pid));
}
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Median of the wall clock and mean of workerd's processor time for one request. */
async function measureRequests(pid: number, ask: () => Promise<Response>): Promise<{ wall: number; cpu: number }> {
  const once = async () => {
    const response = await ask();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  };
  for (let n = 0; n < 10; n += 1) await once();
  const times: number[] = [];
  const before = cpuMs(pid);
  for (let n = 0; n < ROUNDS; n += 1) {
    const start = performance.now();
    await once();
    times.push(performance.now() - start);
  }
  const cpu = (cpuMs(pid) - before) / ROUNDS;
  return { wall: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0, cpu };
}

type ScopedRead = (scope: RequestScope) => Promise<unknown>;
/** What the loaders of a page read, those of the site's frame with them. */
async function countRowsRead(site: RunningSite, token: string, read: ScopedRead): Promise<number> {
  const bindings = await site.mf.getBindings<Env>();
  const { DB, rows } = countRowsReadDatabase(bindings.DB);
  const request = new Request(`${site.url}/`);
  const credential = { token };
  const scope = openRequestScope({
    request,
    env: { ...bindings, DB },
    credential,
    requestId: "bench",
    defer: () => {},
  });
  await Promise.all([getSiteFrame(scope), read(scope)]);
  return rows();
}

const listRead = (query: string): ScopedRead => {
  const given = Object.fromEntries(new URLSearchParams(`boardCode=notice&size=${SIZE}&${query}`));
  return (scope) => getBoardListPage(scope, listItemsQuery.parse(given));
};
const searchRead = (keyword: string, more: object = {}): ScopedRead => {
  const address = searchPageQuery.parse({ keyword, ...more });
  return (scope) => getSearchPage(scope, address);
};
const MIDDLE = BEFORE + Math.floor(ITEMS / 2);
const PAGES: [what: string, path: string, read: ScopedRead][] = [
  ["home", "/", getHomePage],
  ["list, page 1", `/board/notice/List/?size=${SIZE}`, listRead("page=1")],
  [`list, page ${LAST}`, `/board/notice/List/?size=${SIZE}&page=${LAST}`, listRead(`page=${LAST}`)],
  [`list, page ${LAST / 2}`, `/board/notice/List/?size=${SIZE}&page=${LAST / 2}`, listRead(`page=${LAST / 2}`)],
  ["list by views, page 1", `/board/notice/List/?size=${SIZE}&sort=viewCount,DESC`, listRead("sort=viewCount,DESC")],
  [
    "list by views, last page",
    `/board/notice/List/?size=${SIZE}&sort=viewCount,DESC&page=50`,
    listRead("sort=viewCount,DESC&page=50"),
  ],
  ["view", `/board/notice/View/${MIDDLE}`, (scope) => getBoardViewPage(scope, { boardCode: "notice", itemNo: MIDDLE })],
  ["search, a word of every item", `/search?keyword=${COMMON}`, searchRead(COMMON)],
  ["search, a word of one in 1,000", `/search?keyword=${RARE}`, searchRead(RARE)],
  ["search, two words", `/search?keyword=${COMMON}+${RARE}`, searchRead(`${COMMON} ${RARE}`)],
  ["search, a word that is nowhere", "/search?keyword=흐흫", searchRead("흐흫")],
  [
    "search for the writer in texts",
    "/search?keyword=편집부&target=content",
    searchRead("편집부", { target: "content" }),
  ],
  [
    "search, a word of all in a month",
    `/search?keyword=${COMMON}&from=2024-01-01&to=2024-01-31`,
    searchRead(COMMON, { from: "2024-01-01", to: "2024-01-31" }),
  ],
];

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const settings = { port: 0, persistTo: join(folder, "site"), quiet: true };
try {
  const began = performance.now();
  const loading = await startSite(settings);
  try {
    await loadItems(loading);
  } finally {
    await loading.dispose();
  }
  cpSync(join(folder, "site"), join(folder, "bare"), { recursive: true });
  console.log(`${ITEMS} items loaded and indexed in ${Math.round((performance.now() - began) / 1000)} s`);

  const bare = bareWorker(join(folder, "bare"));
  const floorUrl = String(await bare.ready);
  const [barePid = 0] = workerds();
  const site = await startSite(settings);
  try {
    const sitePid = workerds().find((pid) => pid !== barePid) ?? 0;
    const person = { userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" };
    const signedIn = await fetch(`${site.url}/api/user/signin`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(person),
    });
    const token = ((await signedIn.json()) as { data: { accessToken: string } }).data.accessToken;
    const headers = { Cookie: `accessToken=${token}` };
    const floor = await measureRequests(barePid, () => fetch(floorUrl));
    const line = (what: string, { wall, cpu }: typeof floor, rows: number | string) =>
      console.log(
        `${what.padEnd(34)} ${wall.toFixed(1).padStart(7)} ms ${(wall / floor.wall).toFixed(1).padStart(6)} x ${cpu.toFixed(1).padStart(7)} ms CPU ${(cpu / floor.cpu).toFixed(1).padStart(6)} x ${String(rows).padStart(7)} rows`,
      );
    line(`bare Worker: ${SIZE} rows by key`, floor, SIZE);
    for (const [what, path, read] of PAGES) {
      const spent = await measureRequests(sitePid, () => fetch(site.url + path, { headers }));
      line(what, spent, await countRowsRead(site, token, read));
    }
  } finally {
    await Promise.all([bare.dispose(), site.dispose()]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
