/** @module-tag full */
import { expect } from "vitest";
import { pageScopes } from "#worker/edge/shared-page.ts";
import { CALLS } from "../../calls/calls.ts";
import { JOB_ACTS, OUTSIDE_CALLS, WRITING_ACTS } from "../../calls/writing-acts.ts";
import { contentOf, test as pageTest } from "../fixtures.ts";
import { watchLog } from "../../support/expected-log.ts";
import { METERED_WORKER } from "../../support/metered-worker.ts";

const PATHS = [
  "/",
  "/_.data",
  "/en",
  "/board/notice/List/",
  "/board/notice/List.data",
  "/board/notice/List/?sort=viewCount,DESC",
  "/board/notice/View/60",
  "/board/notice/View/60.data",
  "/board/free/List/",
  "/board/free/View/1",
  "/board/reference/List/?page=2",
  "/en/board/notice/List/",
  "/board/notice/rss.xml",
  "/board/notice/calendar.ics",
  "/calendar",
  "/en/calendar",
  "/pid/about",
  "/en/pid/about",
  "/pid/center",
  "/pid/center/seoul",
  "/pid/residence",
  "/registry",
  "/research/rules",
  "/terms",
  "/privacy",
  "/tos/content/termscontent",
  "/sitemap",
  "/sitemap.xml",
  "/sitemap/pages.xml",
  "/sitemap/notice-1.xml",
  "/robots.txt",
];
const SOME_PATHS = [
  "/",
  "/board/notice/List/",
  "/board/notice/View/60.data",
  "/board/free/View/1",
  "/board/reference/List/?page=2",
  "/calendar",
  "/pid/about",
  "/pid/center/seoul",
  "/terms",
  "/sitemap.xml",
];
/** An unknown parameter forces a rendering for a member. */
const unkept = (path: string) => `${path}${path.includes("?") ? "&" : "?"}alone=1`;
/** Bots do not count as a view. */
const UNCOUNTED = { "User-Agent": "Googlebot/2.1" };
const blank = (text: string) =>
  text.replaceAll(/nonce="[0-9a-f]{32}"|"[0-9a-f]{32}"|(?<=requestId\\*",\\*")[0-9a-f-]{36}/g, "");

/** `/__rows?TABLE,…` answers a hash of the rows of each table. */
const TELLING_WORKER = `${METERED_WORKER.replace("export default {", "const metered_worker = {")}
async function hashOf({ results }) {
  const bytes = new TextEncoder().encode(JSON.stringify(results));
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}
export default {
  ...metered_worker,
  async fetch(request, env, ctx) {
    const { pathname, search } = new URL(request.url);
    if (pathname !== "/__rows") return metered_worker.fetch(request, env, ctx);
    const names = search.slice(1).split(",");
    const rows = await env.DB.batch(names.map((name) => env.DB.prepare('SELECT * FROM "' + name + '"')));
    return Response.json(Object.fromEntries(await Promise.all(names.map(async (name, at) => [name, await hashOf(rows[at])]))));
  },
};
`;

/** Tables of the reader: part of the cache key, of placeholders, or not cached. */
const OF_WHO_ASKS = ["session", "user", "role_grant", "second_factor", "notice_choice", "activity"];
const OF_MANAGERS = ["item_report"];
/** Changed together with `board_item` by triggers. */
const OF_ITEMS = ["board_item_count"];
/** Read, but shown on no cached page. */
const OF_NO_PAGE = ["page_stamp", "alumni_field"];

/** Kept pages that were compared with a fresh rendering. */
let compared = 0;

const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("siteOptions", { scope: "file" }, async ({}) => ({ onLog: watchLog, wrapperModule: TELLING_WORKER }))
  .extend("look", { scope: "file" }, ({ site }) => async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(site.url + path, { headers: { ...UNCOUNTED, ...headers }, redirect: "manual" });
    return { status: answer.status, text: blank(await answer.text()), headers: answer.headers };
  })
  .extend("stamps", { scope: "file" }, ({ db }) => async () => {
    const { results } = await db.prepare("SELECT scope, stamp FROM page_stamp").all<{ scope: string; stamp: string }>();
    return JSON.stringify(results);
  })
  .extend("reader", { scope: "file" }, async ({ db, signIn }) => {
    // A name in no item, because the router data writes a repeated text only once.
    const owner = "(SELECT user_id FROM user_key WHERE user_key_code = 'member02')";
    await db.exec(`UPDATE user SET user_name = '회원2' WHERE id = ${owner}`);
    return signIn("member02", "Member!2345");
  })
  /** The tables that a rendering of each path reads. */
  .extend("readBy", { scope: "file" }, ({ db, look, reader }) => async () => {
    const { results } = await db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
    const tables = new Set(results.map(({ name }) => name));
    const readBy = new Map<string, Set<string>>();
    for (const path of PATHS) {
      const read = new Set<string>();
      for (const cookie of [{ Cookie: "accessToken=none" }, reader.cookie])
        for (const name of (
          (await look(unkept(path), { ...cookie, "X-Tell-Tables": "1" })).headers.get("X-Tables") ?? ""
        ).split(","))
          if (tables.has(name) && ![...OF_WHO_ASKS, "page_stamp"].includes(name)) read.add(name);
      readBy.set(path, read);
    }
    return readBy;
  })
  /** The pages of `paths` that are kept and differ from a fresh rendering. */
  .extend("differences", { scope: "file" }, ({ look, reader }) => async (paths: readonly string[] = PATHS) => {
    const found: string[] = [];
    for (const path of paths)
      for (const who of ["guest", "member"] as const) {
        // The link to Korean keeps the query of an English home page.
        if (who === "member" && path === "/en") continue;
        const cookie = who === "guest" ? {} : reader.cookie;
        const kept = await look(path, { ...cookie, "X-Tell-Tables": "1" });
        // This answer is a fresh rendering.
        if (/\bsite_setting\b/.test(kept.headers.get("X-Tables") ?? "")) continue;
        compared += 1;
        // An invalid session is a guest's and not cached.
        const fresh = await (who === "guest" ? look(path, { Cookie: "accessToken=none" }) : look(unkept(path), cookie));
        const plain = fresh.text.replaceAll(/(?:\?|&|&amp;|\\u0026)alone=1/g, "").replaceAll('"/en/"', '"/en"');
        const isEqual = kept.text === plain || (await contentOf(kept.text)) === (await contentOf(plain));
        if (kept.status !== fresh.status || !isEqual) found.push(`${who} ${path}`);
      }
    return found;
  });

test("each table of a page has triggers for its stamp", async ({ db, look, reader }) => {
  const { results } = await db
    .prepare("SELECT DISTINCT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'page_stamp_%'")
    .all<{ name: string }>();
  const told = results.map(({ name }) => name);
  const known = [...told, ...OF_WHO_ASKS, ...OF_MANAGERS, ...OF_ITEMS, ...OF_NO_PAGE];
  const { results: all } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  const tables = new Set(all.map(({ name }) => name));
  let read = 0;
  for (const path of PATHS)
    for (const cookie of [{ Cookie: "accessToken=none" }, {}, reader.cookie]) {
      const { status, headers } = await look(path, { ...cookie, "X-Tell-Tables": "1" });
      const names = (headers.get("X-Tables") ?? "").split(",").filter((name) => tables.has(name));
      read += names.length;
      expect([path, names.filter((name) => !known.includes(name))]).toEqual([path, []]);
      const scopes = pageScopes(new URL(path, "http://localhost"));
      const isTold = (name: string) =>
        name === "board_item"
          ? scopes.length > 1
          : name !== "board_item_comment" || scopes.some((each) => each.startsWith("item:"));
      // The reader lookup also reads the reader's items and comments.
      const isGuest = cookie !== reader.cookie;
      expect([path, isGuest && status === 200 ? names.filter((name) => !isTold(name)) : []]).toEqual([path, []]);
    }
  expect(read).toBeGreaterThan(300);
});

test("every writing call has an act, or needs an external service", () => {
  const calls = Object.keys(CALLS).filter((name) => !name.startsWith("GET "));
  expect([...WRITING_ACTS.map(([name]) => name), ...Object.keys(OUTSIDE_CALLS)].toSorted()).toEqual(calls.toSorted());
});

test("each cached page equals a fresh rendering after every write", async ({
  site,
  db,
  reader,
  actor: { send, given },
  look,
  stamps,
  differences,
  readBy: readTables,
}) => {
  const readBy = await readTables();
  const tables = [...new Set([...readBy.values()].flatMap((read) => [...read]))];
  const state = async () =>
    (await (await fetch(`${site.url}/__rows?${tables.join()}`)).json()) as Record<string, string>;
  type State = Awaited<ReturnType<typeof state>>;
  /** A page that reads no changed table cannot differ. */
  const pathsThatRead = (paths: readonly string[], before: State, after: State) => {
    const changed = tables.filter((name) => before[name] !== after[name]);
    return paths.filter((path) => changed.some((name) => readBy.get(path)?.has(name)));
  };
  for (const path of PATHS) for (const cookie of [{}, reader.cookie]) await look(path, cookie);
  expect(await differences()).toEqual([]);

  let changes = 0;
  /** The stamps under which `SOME_PATHS` are kept. */
  let stampsKept = "";
  let before = await state();
  for (const [name, prepare] of [...WRITING_ACTS, ...JOB_ACTS]) {
    await db.exec("DELETE FROM rate_limit");
    const act = await prepare(given);
    const stampsBefore = await stamps();
    if (stampsBefore !== stampsKept)
      for (const path of SOME_PATHS) for (const cookie of [{}, reader.cookie]) await look(path, cookie);
    stampsKept = stampsBefore;
    const { status, message } = await send(name, act);
    expect([name, status, status === 200 ? "" : message]).toEqual([name, 200, ""]);
    const after = await state();
    // Any page may be stale when the act empties no stamp.
    const paths = pathsThatRead((await stamps()) === stampsBefore ? PATHS : SOME_PATHS, before, after);
    before = after;
    if (paths.length === 0) continue;
    changes += 1;
    expect([name, await differences(paths)]).toEqual([name, []]);
  }
  // The first look keeps the page again, the second compares it.
  expect(await differences()).toEqual([]);
  expect(await differences()).toEqual([]);
  expect(changes).toBeGreaterThan(60);
  expect(compared).toBeGreaterThan(300);

  // Counted people are named by id; privacy requests may come from people without an account.
  const { results: unnamed } = await db
    .prepare(
      `SELECT DISTINCT action FROM audit_log AS l WHERE subject_count > 0 AND action NOT LIKE 'privacy.%'
         AND NOT (subject_count = 1 AND target_type IN ('user', 'alumni') AND target_id <> '')
         AND NOT EXISTS (SELECT 1 FROM audit_subject JOIN audit_person USING (audit_id) WHERE audit_id = l.id)`,
    )
    .all();
  expect(unnamed).toEqual([]);
});
