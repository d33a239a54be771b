/** @module-tag full */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import routes from "#app/routes.ts";
import { CALLS } from "../../calls/calls.ts";
import { samplePath } from "../../calls/sample-paths.ts";
import { type Act } from "../../calls/writing-act.ts";
import { WRITING_ACTS } from "../../calls/writing-acts.ts";
import {
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  type OldSite,
  rdxArchive,
} from "../../samples/moving-archive.ts";
import { COUNTED_WORKER, type Work, writeCountedBuild } from "../../support/counted-build.ts";
import { expectLog } from "../../support/expected-log.ts";
import { test as pageTest } from "../fixtures.ts";

const SIZES = [1, 10, 100] as const;
const workOf = (answer: Response) => ({
  status: answer.status,
  ...(JSON.parse(answer.headers.get("X-Work") ?? "") as Work),
});
/** Maximum steps of a request, as multiples of an empty one. */
const BARS: Record<string, number> = { refused: 1, guest: 20, member: 200 };
const EMPTY = "/api/site-setting/authentication";
/** A page of 20 hits: most of its steps are the rendering of 1,250 nodes more than an empty page. */
const SEARCH = { what: /^(?:\/en)?\/search /, bar: 24 };
/** Maximum ratio of the growth from 1 to 100 and from 1 to 10: 11 is linear, 110 is quadratic. */
const LINEAR = 15;

const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("siteOptions", { scope: "file" }, async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), "hoewon-counted-"));
    onCleanup(() => rmSync(folder, { recursive: true }));
    return { build: writeCountedBuild("build/server", folder), wrapperModule: COUNTED_WORKER };
  })
  /** The work since the last call, deferred work included. */
  .extend("takeWork", { scope: "file" }, ({ site }) => async () => {
    return (await (await fetch(`${site.url}/__work`)).json()) as Work;
  })
  .extend("ask", { scope: "file" }, ({ site }) => async (path: string, headers: Record<string, string>) => {
    const response = await fetch(site.url + path, { headers, redirect: "manual" });
    await response.arrayBuffer();
    return workOf(response);
  })
  .extend("cookies", { scope: "file" }, ({ member, admin }): Record<string, { Cookie: string }> => ({
    // An invalid session makes a guest whose pages are not cached.
    guest: { Cookie: "accessToken=none" },
    member: member.cookie,
    admin: admin.cookie,
  }))
  .extend("empty", { scope: "file" }, async ({ ask }) => {
    // The first requests load modules and fill caches.
    for (let turn = 0; turn < 5; turn += 1) await ask(EMPTY, {});
    return ask(EMPTY, {});
  });

type Measured = Work & { status: number };
interface Growth {
  who: string;
  what: string;
  /** One for each of `SIZES`; only the smallest and the largest when these are equal; or only the largest. */
  works: Measured[];
  /** The value grows, and the request does not. */
  isValue?: boolean;
  /** Differences that no input explains; archives take more invocations. */
  fixed?: Work;
  linear?: number;
}
const FIXED: Work = { steps: 2000, statements: 1, rows: 50 };
const FIXED_OF_PARTS: Work = { steps: 8000, statements: 60, rows: 500 };
/** Tighter for parts of archives: their own work hides a linear search. */
const LINEAR_OF_PARTS = 12;

const KINDS = ["steps", "statements", "rows"] as const;
/** The middle size only explains a difference between the others. */
async function measureSizes(measure: (size: number) => Promise<Measured>): Promise<Measured[]> {
  const [smallest, middle, largest] = SIZES;
  const [one, hundred] = [await measure(smallest), await measure(largest)];
  const isEqual = KINDS.every((name) => hundred[name] <= one[name] + FIXED[name]);
  // The first request of a form prepares its statements.
  return isEqual ? [one, hundred] : [one, await measure(middle), await measure(largest)];
}

/** Work that grows faster than its input, and requests above their bar. */
function faults(growths: readonly Growth[], empty: Work): string[] {
  const found: string[] = [];
  for (const { who, what, works, isValue, fixed = FIXED, linear = LINEAR } of growths) {
    const line = `${who} ${what}: ${works.map((each) => `${each.status} ${each.steps} ${each.statements} ${each.rows}`).join(", ")}`;
    const [one, ten, hundred] = works;
    if (one && ten && hundred && one.status === ten.status && ten.status === hundred.status)
      for (const name of KINDS) {
        const explained = isValue ? 0 : linear * Math.max(0, ten[name] - one[name]);
        if (hundred[name] > one[name] + explained + fixed[name]) found.push(`${name} grow: ${line}`);
      }
    const bar = who === "guest" && SEARCH.what.test(what) ? SEARCH.bar : BARS[who];
    if (bar && works.some(({ steps }) => steps > bar * empty.steps)) found.push(`above ${bar}: ${line}`);
  }
  return found;
}

type Route = (typeof routes)[number];
const pathsOf = (list: readonly Route[], parent = ""): string[] =>
  list.flatMap((route) => {
    const path = [parent, route.path].filter(Boolean).join("/");
    return [`/${path}`, ...pathsOf(route.children ?? [], path)];
  });
const PAGES = [...new Set(pathsOf(routes))]
  .filter((path) => !path.includes("*"))
  .map((path) => samplePath(path.replace(":product", "pid").replace(":region", "seoul")).replace("?", ""));
const READING_CALLS = Object.keys(CALLS)
  .filter((name) => name.startsWith("GET "))
  .map((name) => samplePath(name.slice("GET ".length)));

/** Every query parameter of the contract, by kind. */
const PARAMETERS = (() => {
  const modules = import.meta.glob<Record<string, unknown>>("/worker/contract/**/*.ts", { eager: true });
  const kinds = { text: new Set<string>(), number: new Set<string>(), date: new Set<string>() };
  for (const [name, schema] of Object.values(modules).flatMap((module) => Object.entries(module)))
    if (/query/i.test(name) && schema instanceof z.ZodObject)
      for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
        const takes = (value: string) => field.safeParse(value).success;
        if (takes("가나")) kinds.text.add(key);
        else if (takes("7")) kinds.number.add(key);
        else if (takes("2026-01-31")) kinds.date.add(key);
      }
  return kinds;
})();
const withQuery = (path: string, names: Iterable<string>, give: (name: string) => string) =>
  `${path}?${[...names, "alone"].map((name) => `${name}=${encodeURIComponent(give(name))}`).join("&")}`;

/** Addresses that are refused before routing. */
const TOO_LONG: ((path: string, size: number) => string)[] = [
  (path, size) => `${path}/${"a/".repeat(size * 70)}`,
  (path, size) => `${path}/${"a".repeat(size * 140)}`,
  (path, size) => `${path === "/" ? "/_root" : path}.data?_routes=${"a,".repeat(size * 50)}`,
  (path, size) => `${path}?${"category=a&".repeat(size * 10)}`,
];
interface Query {
  isValue?: boolean;
  grow: (path: string, size: number) => string;
}
/** Steps to parse a query that the page ignores. */
const UNREAD_STEPS = 8000;
function valueOf(name: string, size: number): string {
  if (PARAMETERS.date.has(name)) return /from|start/i.test(name) ? "1970-01-01" : `${2026 + size * 79}-12-31`;
  return PARAMETERS.number.has(name) ? String(size) : "ab cd ".repeat(17).slice(0, size).trim();
}
const QUERIES = {
  texts: { grow: (path, size) => withQuery(path, PARAMETERS.text, (name) => valueOf(name, size)) },
  keyword: { grow: (path, size) => withQuery(path, ["keyword"], () => "연구 등록 ".repeat(20).slice(0, size).trim()) },
  numbers: { grow: (path, size) => withQuery(path, PARAMETERS.number, (name) => valueOf(name, size)) },
  years: {
    isValue: true,
    grow: (path, size) =>
      `${withQuery(path, PARAMETERS.date, (name) => valueOf(name, size))}&keyword=%EC%97%B0%EA%B5%AC`,
  },
} satisfies Record<string, Query>;

test("the work of each reading grows no faster than its address", async ({ ask, cookies, empty }) => {
  // The host of case reports is missing.
  expectLog(/UPSTREAM_UNAVAILABLE/);
  const growths: Growth[] = [];
  for (const [at, path] of [...PAGES, ...READING_CALLS].entries()) {
    const tooLong = TOO_LONG[at % TOO_LONG.length]?.(path, 100) ?? "";
    growths.push({ who: "refused", what: `${path} too long`, works: [await ask(tooLong, {})] });
    for (const [who, headers] of Object.entries(cookies)) {
      if (who === "admin" && !/admin|alumni/i.test(path)) continue;
      // Loads the page's modules.
      if (who === "guest") await ask(withQuery(path, [], String), headers);
      const plain = await ask(withQuery(path, [], String), headers);
      growths.push({ who, what: path, works: [plain] });
      if (plain.status !== 200) continue;
      const measure = async (name: keyof typeof QUERIES) => {
        const { grow, isValue = false }: Query = QUERIES[name];
        const works = await measureSizes((size) => ask(grow(path, size), headers));
        growths.push({ who, what: `${path} ${name}`, works, isValue });
      };
      const names = [...PARAMETERS.text, ...PARAMETERS.number, ...PARAMETERS.date];
      const whole = await ask(
        withQuery(path, names, (name) => valueOf(name, 100)),
        headers,
      );
      growths.push({ who, what: `${path} whole`, works: [whole] });
      const isUnread = whole.status === 200 && whole.rows === plain.rows && whole.steps < plain.steps + UNREAD_STEPS;
      if (!isUnread) for (const name of ["texts", "numbers", "years", "keyword"] as const) await measure(name);
    }
  }
  record(growths, empty);
  expect(faults(growths, empty)).toEqual([]);
  expect(growths.length).toBeGreaterThan(800);
});

/** Yields the body once for each part, with that part grown. */
function* grownBodies(value: unknown, size: number, depth = 0): Generator<[string, unknown]> {
  const turns = Array.from({ length: size }, (_, at) => at);
  if (typeof value === "string")
    yield ["", /^\d{4}-\d\d-\d\d/.test(value) ? `${2026 + size * 79}-12-31` : value + moreOf(value).repeat(size)];
  if (typeof value === "number") yield ["", value * size];
  if (Array.isArray(value) && value.length > 0) yield ["", turns.map((at) => renamed(value[at % value.length], at))];
  if (value?.constructor !== Object) return;
  const entries = Object.entries(value);
  if (depth > 0 && entries[0]) {
    const [, sample] = entries[0];
    yield ["", { ...value, ...Object.fromEntries(turns.map((at) => [`k${at}`, sample])) }];
  }
  for (const [key, part] of depth < 2 ? entries : [])
    for (const [path, grown] of grownBodies(part, size, depth + 1))
      yield [`.${key}${path}`, { ...value, [key]: grown }];
}
const moreOf = (value: string) =>
  value.startsWith("<") ? "<p>가 <b>나</b> &amp; 02-740-1234</p>".repeat(5) : "가 나".repeat(3);
const renamed = (value: unknown, at: number) => {
  if (typeof value !== "string") return value;
  return /^[0-9a-f]{8}-/.test(value) ? crypto.randomUUID() : `${value}${at || ""}`;
};

test("the work of each writing call grows no faster than its body", async ({ actor: { send, given }, empty }) => {
  const growths: Growth[] = [];
  for (const [name, prepare] of WRITING_ACTS) {
    const measure = async (whose: Act): Promise<Measured> => workOf((await send(name, whose)).answer);
    let act = await prepare(given);
    // The act has its actor's bar.
    const actor = act.who === undefined ? "admin" : act.who === null ? "guest" : "member";
    const grown = (size: number) => (act.body?.constructor === Object ? [...grownBodies(act.body, size)] : []);
    const parts = grown(1);
    const largest = { ...act, body: grown(100).at(-1)?.[1] ?? act.body };
    for (const [who, id] of Object.entries({ guest: null, member: "member02" }))
      if (who !== actor) growths.push({ who, what: name, works: [await measure({ ...largest, who: id })] });
    let isDone = false;
    /** Prepares the act again after each success, for its new version. */
    const measureFresh = async (bodyOf: () => unknown) => {
      if (isDone) act = await prepare(given);
      let measured = await measure({ ...act, body: bodyOf() });
      // The first call may load modules.
      if (measured.status !== 200 && measured.steps > 20 * empty.steps)
        measured = await measure({ ...act, body: bodyOf() });
      isDone = measured.status === 200;
      return measured;
    };
    for (const [at, [part]] of parts.entries()) {
      // The first one signs in, loads modules, and does what can be done once.
      const first = await measureFresh(() => grown(100)[at]?.[1]);
      // A body that is refused early costs the same at every size.
      const isRefused = first.status === 400 && first.steps <= 2 * empty.steps;
      const works = isRefused ? [first] : await measureSizes((size) => measureFresh(() => grown(size)[at]?.[1]));
      growths.push({ who: actor, what: `${name}${part}`, works });
    }
    growths.push({ who: actor, what: name, works: [await measureFresh(() => act.body)] });
  }
  record(growths, empty);
  expect(faults(growths, empty)).toEqual([]);
});

const LIST = (size: number) => Array.from({ length: size }, (_, at) => at + 1);
const inOneBoard = (...documents: object[]): OldSite => ({
  boards: { talk: { title: "게시판", documents: documents as never } },
});
/** Old sites with one growing part. */
const ARCHIVES: Record<string, (size: number) => OldSite> = {
  members: (size) => ({ members: LIST(size).map((n) => oldMember(`old${n}`)), ...inOneBoard(oldDocument(1)) }),
  groups: (size) => ({
    members: [oldMember("old1", { groups: LIST(size).map((n) => `모임${n}`) })],
    ...inOneBoard(oldDocument(1)),
  }),
  fields: (size) => ({
    members: [oldMember("old1", { extra_vars: Object.fromEntries(LIST(size).map((n) => [`mb_${n}`, "값"])) })],
    ...inOneBoard(oldDocument(1)),
  }),
  notes: (size) => ({
    members: [oldMember("old1"), oldMember("old2")],
    notes: LIST(size).map((n) => oldNote(n, "old1", "old2")),
    ...inOneBoard(oldDocument(1)),
  }),
  boards: (size) => ({
    boards: Object.fromEntries(
      LIST(size).map((n) => [`talk${n}`, { title: `게시판 ${n}`, documents: [oldDocument(n)] }]),
    ),
  }),
  items: (size) => inOneBoard(...LIST(size).map((n) => oldDocument(n))),
  replies: (size) => inOneBoard(...LIST(size).map((n) => oldDocument(n, { parent_id: n === 1 ? null : n - 1 }))),
  categories: (size) => inOneBoard(...LIST(size).map((n) => oldDocument(n, { category: `갈래${n}` }))),
  comments: (size) =>
    inOneBoard(
      oldDocument(1, { comments: LIST(size * 10).map((n) => oldComment(n, { parent_id: n === 1 ? null : n - 1 })) }),
    ),
  files: (size) => ({
    ...inOneBoard(oldDocument(1, { files: LIST(size).map((n) => oldFile(n, `${n}.txt`, `data/${n}.txt`)) })),
    files: Object.fromEntries(LIST(size).map((n) => [`data/${n}.txt`, "글"])),
  }),
  text: (size) => inOneBoard(oldDocument(1, { content: `<p>${"글 &amp; 글<br>".repeat(size * 20)}</p>` })),
};

test("the work of moving grows no faster than its part", async ({ actor: { given }, takeWork, empty }) => {
  const moveEach = async (part: string, siteOf: (size: number) => OldSite) => {
    const works: Measured[] = [];
    for (const size of SIZES) {
      const archive = rdxArchive(siteOf(size));
      const { id } = await given.send("PUT /api/admin/moving", { body: { site: `${part} ${size}` } });
      const body = { kind: "rdx", fileName: "old.zip", size: archive.byteLength };
      const opened = await given.send("PUT /api/admin/moving/:id/archive", { at: [id], body });
      const at = [id, opened.id];
      await given.send("PUT /api/admin/moving/:id/archive/:archiveId/part/:partNo", { at: [...at, 1], body: archive });
      await given.send("POST /api/admin/moving/:id/archive/:archiveId/complete", { at, body: {} });
      const statusOf = () => given.one("SELECT status FROM moving WHERE id = ?", id);
      const until = async (status: string) => {
        for (let step = 0; step < 300 && (await statusOf()) !== status; step += 1)
          await given.send("POST /api/admin/moving/:id/step", { at: [id], body: {} });
        expect([part, size, await statusOf()]).toEqual([part, size, status]);
      };
      const versionOf = () => given.one<number>("SELECT version FROM moving WHERE id = ?", id);
      await takeWork();
      await given.send("POST /api/admin/moving/:id/check", { at: [id], body: {} });
      await until("checked");
      const keys = Object.keys(siteOf(size).boards ?? {});
      const boards = Object.fromEntries(
        keys.map((key) => [
          key,
          { to: "new", boardCode: `${part}-${size}-${key}`, boardName: key, boardType: "list", access: "public" },
        ]),
      );
      const mapping = { boards, groups: {}, fields: {}, version: await versionOf() };
      await given.send("POST /api/admin/moving/:id/start", { at: [id], body: mapping });
      await until("committed");
      await given.send("POST /api/admin/moving/:id/undo", {
        at: [id],
        body: { reason: "시험", version: await versionOf() },
      });
      await until("undone");
      works.push({ status: 200, ...(await takeWork()) });
    }
    return { who: "admin", what: part, works, fixed: FIXED_OF_PARTS, linear: LINEAR_OF_PARTS };
  };
  const growths: Growth[] = [];
  for (const [part, siteOf] of Object.entries(ARCHIVES)) {
    const growth = await moveEach(part, siteOf);
    // A cache that expires meanwhile adds work to one size; what grows with the part does so twice.
    growths.push(faults([growth], empty).length > 0 ? await moveEach(part, siteOf) : growth);
  }
  record(growths, empty);
  expect(faults(growths, empty)).toEqual([]);
});

/** `WORK_TABLE=FILE` keeps the measurements. */
function record(growths: Growth[], empty: Work) {
  const file = process.env.WORK_TABLE;
  if (file) appendFileSync(file, [{ empty }, ...growths].map((each) => `${JSON.stringify(each)}\n`).join(""));
}
