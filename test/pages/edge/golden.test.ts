/** @module-tag full */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { startSite } from "#worker/local/site.ts";
import { CALLS } from "../../calls/calls.ts";
import { PAGE_PATHS } from "../../calls/page-paths.ts";
import { samplePath } from "../../calls/sample-paths.ts";
import { WRITING_ACTS } from "../../calls/writing-acts.ts";
import { expectLog, watchLog } from "../../support/expected-log.ts";
import { METERED_WORKER } from "../../support/metered-worker.ts";
import { removeLimits } from "../../support/test-site.ts";
import { test as pageTest } from "../fixtures.ts";

/** Moves the clock of the realm that evaluates it by `ms`. */
const shiftClock = (ms: number): void => {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts: []) {
      super(...(parts.length === 0 ? ([RealDate.now() + ms] as unknown as []) : parts));
    }
    static override now = () => RealDate.now() + ms;
  } as DateConstructor;
};

/** The metered Worker with its clock moved by `ms`. */
const shiftedWorker = (ms: number): string => `(${shiftClock.toString()})(${ms});\n${METERED_WORKER}`;

const FILE = join(import.meta.dirname, "../../golden.txt");
/** Bodies of earlier runs, by hash. */
const BODIES = join(import.meta.dirname, "../../../node_modules/.cache/golden");
/** The clock of every run, so that dates and ages are equal. */
const NOW = Date.parse("2026-11-25T03:00:00Z");
const PARTIAL_ADMINISTRATOR = "member17";
/** Views by robots are not counted. */
const HEADERS = { "User-Agent": "Googlebot/2.1" };

const PAGES = [...PAGE_PATHS, "/search?keyword=안내", "/board/notice/List/?keyword=안내"];
const READING_CALLS = Object.keys(CALLS)
  .filter((name) => name.startsWith("GET "))
  .map((name) => samplePath(name.slice("GET ".length)));

/** Gives equal ids the same number, so that references still count. */
function numbered(text: string, pattern: RegExp, name: string): string {
  const seen = new Map<string, number>();
  return text.replaceAll(pattern, (id) => {
    if (!seen.has(id)) seen.set(id, seen.size + 1);
    return `<${name} ${seen.get(id)}>`;
  });
}
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
};
/** The body without nonces, ids, moments and names of built files. */
function normalize(body: string, type: string, url: string): string {
  let text = type.includes("json") ? JSON.stringify(sorted(JSON.parse(body)), null, 1) : body;
  if (type.includes("html"))
    text = text
      .replaceAll(/<script\b.*?<\/script>/gs, "")
      .replaceAll(/<link\b[^>]*\brel="(?:modulepreload|stylesheet|preload)"[^>]*>/g, "")
      .replaceAll(/<!--.*?-->/gs, "")
      .replaceAll("><", ">\n<");
  // Long lines of calendars are folded at 75 bytes.
  if (type.includes("calendar")) text = text.replaceAll("\r\n ", "");
  text = text
    .replaceAll(url, "<site>")
    .replaceAll(url.replace(/^http/, "webcal"), "<site of calendars>")
    .replaceAll(/(?<=\bassets\/[\w.-]+?)-[\w-]{8}(?=\.\w+)/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<moment>")
    .replaceAll(/\b1[78]\d{11}\b|\b1[78]\d{8}\b/g, "<ms>")
    .replaceAll(/(?<=최근 1시간에 )[\d,]+번|\b\d+ms\b/g, "<trips>")
    .replaceAll(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/g, "<recovery code>")
    .replaceAll(/(?:오전|오후) \d{1,2}:\d\d(?::\d\d)?|\b\d\d:\d\d(?::\d\d)?\b/g, "<time>");
  text = numbered(text, /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "id");
  text = numbered(text, /_R_\w+_/g, "element");
  return numbered(text, /[\w-]+\.[\w-]{16,}(?:\.[\w-]{16,})*|(?<![\w-])[\w-]{32,}/g, "token");
}

const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("site", { scope: "file" }, async ({}, { onCleanup }) => {
    const persistTo = mkdtempSync(join(tmpdir(), "hoewon-golden-"));
    const RealDate = Date;
    const ms = NOW - Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
    let ids = 0;
    const randomId = vi.spyOn(crypto, "randomUUID");
    randomId.mockImplementation(() => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}` as never);
    const site = await startSite({
      quiet: true,
      port: 0,
      persistTo,
      seed: "demo",
      wrapperModule: shiftedWorker(ms),
      onLog: watchLog,
    });
    randomId.mockRestore();
    // One-time codes of the acts need the clock of the Worker.
    vi.useRealTimers();
    shiftClock(ms);
    onCleanup(async () => {
      globalThis.Date = RealDate;
      await site.dispose();
      rmSync(persistTo, { recursive: true });
    });
    return site;
  })
  .extend("partial", { scope: "file" }, async ({ db, signIn }) => {
    await db.batch([
      db.prepare(
        `INSERT INTO role (role_code, role_name, permissions, version, is_built_in) VALUES ('partial', '부분 관리자', '["ADMIN_Access"]', 1, 0)`,
      ),
      db
        .prepare(
          `INSERT INTO role_grant (id, user_id, role_code, start_date, created_date)
             SELECT '00000000-0000-4000-8000-0000000000aa', user_id, 'partial', 0, 0 FROM user_key WHERE user_key_code = ?`,
        )
        .bind(PARTIAL_ADMINISTRATOR),
    ]);
    return signIn(PARTIAL_ADMINISTRATOR, "Member!2345");
  })
  .extend("reader", { scope: "file" }, ({ signIn }) => signIn("member02", "Member!2345"));

test("every answer is as the golden run says", async ({ site, db, admin, reader, partial, actor: { send, given } }) => {
  expectLog(/UPSTREAM_UNAVAILABLE/);
  const bodies = new Map<string, string>();
  const note = (name: string, body: string) => bodies.set(bodies.has(name) ? `${name} again` : name, body);
  await removeLimits(db);
  const look = async (who: string, path: string, headers: Record<string, string>) => {
    const answer = await fetch(site.url + path, { headers: { ...HEADERS, ...headers }, redirect: "manual" });
    const type = answer.headers.get("Content-Type") ?? "";
    const isText = /^(?:text\/|application\/(?:json|xml|rss|manifest))/.test(type);
    const text = await answer.text();
    expect.soft(/<!--\$[?!]-->/.test(text), `${path} suspends on the server, which renders to a string`).toBe(false);
    const head = [answer.status, type, answer.headers.get("Location") ?? "", answer.headers.get("Cache-Control") ?? ""];
    const body = isText ? normalize(text, type, site.url) : "";
    note(`${who} GET ${path}`, `${normalize(head.join(" "), "", site.url)}\n${body}`);
  };
  for (const path of PAGES) {
    await look("guest", path, {});
    await look("member", path, reader.cookie);
    await look("administrator", path, admin.cookie);
  }
  for (const path of READING_CALLS) {
    await look("guest", path, {});
    await look("member", path, { Authorization: reader.bearer.Authorization });
    await look("partial administrator", path, { Authorization: partial.bearer.Authorization });
    await look("administrator", path, { Authorization: admin.bearer.Authorization });
  }
  for (const [name, prepare] of WRITING_ACTS) {
    const act = await prepare(given);
    const people = { guest: null, member: "member02", "partial administrator": PARTIAL_ADMINISTRATOR };
    for (const [as, who] of [...Object.entries(people), ["actor", act.who] as const]) {
      const { status, data, message } = await send(name, { ...act, ...(who !== undefined && { who }) });
      const body = JSON.stringify(status === 200 ? (data ?? null) : (message ?? null));
      note(`${as} ${name}`, `${status}\n${normalize(body, "application/json", site.url)}`);
    }
  }

  mkdirSync(BODIES, { recursive: true });
  const hashOf = (body: string) => createHash("sha256").update(body).digest("hex").slice(0, 16);
  const golden = new Map(
    (existsSync(FILE) ? readFileSync(FILE, "utf8") : "").split("\n").map((line) => [line.slice(17), line.slice(0, 16)]),
  );
  const lines: string[] = [];
  let shown = 0;
  for (const [name, body] of bodies) {
    const hash = hashOf(body);
    lines.push(`${hash} ${name}`);
    writeFileSync(join(BODIES, hash), body);
    const before = golden.get(name);
    if (before === undefined || before === hash || (shown += 1) > 5) continue;
    const kept = join(BODIES, before);
    const earlier = existsSync(kept) ? readFileSync(kept, "utf8") : `${before}: run the commit before to see its body`;
    expect.soft(`${name}\n${body}`).toBe(`${name}\n${earlier}`);
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(FILE);
});
