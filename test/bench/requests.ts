import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONDITION_KEYS, isFieldConditionKey } from "#worker/contract/alumni/conditions.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { startSite } from "#worker/local/site.ts";
import { CALLS } from "../calls/calls.ts";
import { samplePlace, UNKNOWN_ID } from "../calls/sample-paths.ts";
import { workerdCpuMs } from "../support/cpu.ts";
import { removeLimits } from "../support/test-site.ts";

// Measures calls with 10 MB bodies and longest queries as multiples of an empty request. Bars: 20 (guest), 200
// (member).
const ROUNDS = 1;
const ROUNDS_AGAIN = 6;
const NEAR = 0.6;
const FLOOR_ROUNDS = 400;
/** A client that is refused while sending may wait for an answer that was cut off. */
const ANSWER_MS = 20_000;
const BARS = { guest: 20, member: 200 } as const;
const SHOWN = 12;
type Who = keyof typeof BARS;

interface CostlyBody {
  what: string;
  body: string | FormData;
  type?: string;
}
const MEGABYTE = 1024 * 1024;
const json = (what: string, body: string): CostlyBody => ({ what, body, type: "application/json" });
const text = (value: string) => JSON.stringify({ title: value, content: value, keyword: value, password: value });

/** A GIF of two-byte blocks at the size limit of a picture. */
function gifOfSmallBlocks(): FormData {
  const bytes = new Uint8Array(SIZE_LIMITS.imageBytes - 1024).fill(1);
  bytes.set(new TextEncoder().encode("GIF89a\x01\x00\x01\x00\x00\x00\x00\x21\xfe"));
  const form = new FormData();
  form.set("file", new File([bytes], "a.gif", { type: "image/gif" }));
  return form;
}

const ANYWHERE: CostlyBody[] = [
  json("10 MB", text(" ".repeat(3 * MEGABYTE))),
  json("spaces up to the limit", text(" ".repeat(60_000))),
  json("deep arrays", `{"content":${"[".repeat(60_000)}${"]".repeat(60_000)}}`),
  json(
    "many ids",
    JSON.stringify(
      Object.fromEntries(
        ["ids", "people", "codes", "entries", "pages"].map((name) => [name, Array(1500).fill(crypto.randomUUID())]),
      ),
    ),
  ),
  json("many keys", `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(",")}}`),
];
const SLOW_TEXTS: CostlyBody[] = [
  "<table><tr><td>".repeat(30_000),
  "<p><b><i>".repeat(40_000),
  "<p>문장입니다.</p>".repeat(20_000),
  `<p>${"가\u0301".repeat(100_000)}</p>`,
  `<p>${"&amp;".repeat(90_000)}</p>`,
].map((content) => json(content.slice(0, 16), JSON.stringify({ title: "글", content, fileIds: [] })));

const PLACES: Record<string, string> = { boardCode: "free", token: "A".repeat(43) };
const pathOf = (route: string) => route.replace(/:(\w+)/g, (_, key: string) => PLACES[key] ?? samplePlace(key));

/** The longest allowed address, and every filter of the address book at once. */
const LONG_QUERY = `keyword=${encodeURIComponent("연구 등록 ".repeat(16))}&size=100&page=100000`;
const FILTERS = CONDITION_KEYS.filter(isFieldConditionKey)
  .map((key) => `${key}=has:${encodeURIComponent("가".repeat(12))}`)
  .join("&");
const QUERIES = ["", LONG_QUERY, `keyword=${"%20".repeat(4000)}`, FILTERS, `sort=${"a,".repeat(4000)}`];

const IN_FULL: Record<string, object> = {
  "PUT /api/alumni/view": {
    name: "보기",
    content: {
      filter: Object.fromEntries(
        CONDITION_KEYS.filter(isFieldConditionKey)
          .slice(0, 12)
          .map((key) => [key, `has:${"가".repeat(200)}`]),
      ),
      sort: "",
      columns: ["name"],
      isDense: true,
      size: 50,
    },
  },
  "POST /api/alumni/selected": { ids: Array(1000).fill(UNKNOWN_ID), filter: {} },
  "POST /api/alumni/figures": { filter: { keyword: "가".repeat(90) }, reason: "확인" },
  "PUT /api/certificate": { purpose: "가".repeat(100) },
  "POST /api/certificate/check": { number: "2026-AAAAA-AAAAA", name: "가".repeat(50) },
  "POST /api/confirmation/:token/correct": { version: 1, proof: "A".repeat(43), affiliation: "가".repeat(200) },
};

const PAGES =
  "/ /en /board/notice/List /board/notice/View/1 /calendar /search /en/search /registry /sitemap /Account/Signin /none /Admin/Audit".split(
    " ",
  );
const GROWING: Record<string, (path: string, size: number) => string> = {
  segments: (path, size) => `${path}/${"a/".repeat(size * 70)}`,
  "encoded slashes": (path, size) => `${path}/${"a%2f".repeat(size * 35)}`,
  letters: (path, size) => `${path}/${"a".repeat(size * 140)}`,
  "segments of data": (path, size) => `${path}/${"a/".repeat(size * 70)}a.data`,
  parameters: (path, size) => `${path}?${Array.from({ length: size * 10 }, (_, at) => `k${at}=1`).join("&")}`,
  "a parameter again": (path, size) => `${path}?${"category=a&".repeat(size * 10)}`,
  "a query": (path, size) => `${path}?keyword=${"a".repeat(size * 140)}`,
  "words searched for": (path, size) => `${path}?keyword=${"%EC%97%B0%EA%B5%AC+".repeat(size)}`,
  "years searched through": (path, size) =>
    `${path}?keyword=%EC%97%B0%EA%B5%AC&from=1970-01-01&to=${2026 + size * 79}-12-31`,
  "a page of a list": (path, size) => `${path}?page=${size * 1000}&size=${size * 10}`,
  routes: (path, size) => `${path || "/_root"}.data?_routes=${"a,".repeat(size * 40)}`,
  "paths of links": (_, size) =>
    `/__manifest?version=${manifestVersion}&paths=${Array.from({ length: size * 3 }, (__, at) => `/${at}/a/b/c`).join(",")}`,
};

let manifestVersion = "";

interface CostlyTry {
  name: string;
  method: string;
  path: string;
  what: string;
  body: string | FormData | null;
  type?: string;
}
/** Omits the calls that end the session or the account. */
const tries = Object.keys(CALLS).flatMap((name): CostlyTry[] => {
  const [method = "", route = ""] = name.split(" ");
  const path = pathOf(route);
  if (/\/(?:signout|retire|end-others)$/.test(route) || method === "DELETE") return [];
  if (method === "GET")
    return QUERIES.map((query) => ({ name, method, path: `${path}?${query}`, what: query.slice(0, 24), body: null }));
  const more: CostlyBody[] = route.endsWith("/images")
    ? [{ what: "a GIF of small blocks", body: gifOfSmallBlocks() }]
    : [];
  if (/board-item(-draft)?\/:boardCode(\/:itemNo)?$/.test(route)) more.push(...SLOW_TEXTS);
  if (route.endsWith("/search"))
    more.push(json("99 letters", JSON.stringify({ keyword: "연구 등록 ".repeat(20).slice(0, 99) })));
  const full = IN_FULL[name];
  if (full) more.push(json("as much as it takes", JSON.stringify(full)));
  return [...ANYWHERE, ...more].map((each) => ({ name, method, path, ...each }));
});

/** Growth is too fast if the full size costs more than this multiple of a tenth. */
const LINEAR = 20;
interface Growth {
  what: string;
  costs: number[];
  status: number;
}

async function growthsOf(
  ask: (path: string) => Promise<number>,
  cost: (path: string) => Promise<number>,
): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const page of PAGES)
    for (const [name, grow] of Object.entries(GROWING)) {
      const paths = [1, 10, 100].map((size) => grow(page === "/" && name !== "a query" ? "" : page, size) || "/");
      const costs: number[] = [];
      for (const path of paths) costs.push(await cost(path));
      growths.push({ what: `${page}: ${name}`, costs, status: await ask(paths[2] ?? "/") });
    }
  return growths;
}

async function cpuOf(rounds: number, ask: () => Promise<Response>): Promise<number> {
  const before = workerdCpuMs();
  // A connection may be closed when a body is refused early; that cost counts too.
  for (let n = 0; n < rounds; n += 1)
    await ask().then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  return (workerdCpuMs() - before) / rounds;
}

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
try {
  await removeLimits((await site.mf.getBindings<Env>()).DB);
  const signedIn = await fetch(`${site.url}/api/user/signin`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" }),
  });
  const { data } = (await signedIn.json()) as { data: { accessToken: string } };
  const page = await (await fetch(`${site.url}/Account/Signin`)).text();
  manifestVersion = /manifest-([0-9a-f]+)\.js/.exec(page)?.[1] ?? "";
  const empty = () => fetch(`${site.url}/api/site-setting/authentication`);
  await cpuOf(50, empty);
  const floor = await cpuOf(FLOOR_ROUNDS, empty);
  console.log(
    `an empty request ${floor.toFixed(2)} ms CPU; ${tries.length} bodies and queries to ${Object.keys(CALLS).length} calls`,
  );
  for (const who of ["guest", "member"] as Who[]) {
    const rows: { what: string; status: number; times: number }[] = [];
    for (const { name, method, path, what, body, type } of tries) {
      const headers: Record<string, string> = {
        ...(type && { "Content-Type": type }),
        ...(who === "member" && { Authorization: `Bearer ${data.accessToken}` }),
      };
      let status = 0;
      const ask = async () => {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const response = await fetch(site.url + path, { method, headers, body, signal });
        status = response.status;
        return response;
      };
      let cpu = await cpuOf(ROUNDS, ask);
      if (cpu > floor * BARS[who] * NEAR) cpu = await cpuOf(ROUNDS_AGAIN, ask);
      rows.push({ what: `${name}: ${what}`, status, times: cpu / floor });
    }
    const askPage = (path: string) =>
      fetch(site.url + path, {
        headers: who === "member" ? { Cookie: `accessToken=${data.accessToken}` } : {},
        redirect: "manual",
      });
    const statusOf = async (path: string) => {
      const response = await askPage(path);
      await response.arrayBuffer();
      return response.status;
    };
    const costOf = async (path: string) => {
      const once = await cpuOf(ROUNDS, () => askPage(path));
      return (once > floor * BARS[who] * NEAR ? await cpuOf(ROUNDS_AGAIN, () => askPage(path)) : once) / floor;
    };
    const growths = await growthsOf(statusOf, costOf);
    for (const { what, costs, status } of growths) rows.push({ what, status, times: Math.max(...costs) });
    const faster = growths.filter(
      ({ costs: [, ten = 0, hundred = 0] }) => hundred > BARS[who] && hundred > ten * LINEAR,
    );
    console.log(
      `${who}: ${faster.length} of ${growths.length} inputs of pages make work that grows faster than they do`,
    );
    for (const { what, costs } of faster)
      console.log(`  ${what}: ${costs.map((each) => each.toFixed(1)).join(", ")} x`);
    rows.sort((a, b) => b.times - a.times);
    const above = rows.filter(({ times }) => times > BARS[who]).length;
    if (above + faster.length > 0) process.exitCode = 1;
    console.log(`${who}: ${above} of ${rows.length} above ${BARS[who]} x`);
    for (const { what, status, times } of rows.slice(0, Math.max(SHOWN, above)))
      console.log(`  ${what.padEnd(72)} ${status} ${times.toFixed(1).padStart(7)} x`);
  }
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
