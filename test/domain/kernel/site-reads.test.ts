import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { pageStampTriggers } from "#db/schema/page-stamp.ts";
import { openRequestScope } from "#worker/context.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { readStamps } from "#worker/edge/page-stamp.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runSql } from "../../support/test-database.ts";
import { noteDeferred } from "../../support/unread-answers.ts";

const SOURCES = import.meta.glob<string>(["/db/**/*.ts", "/worker/**/*.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const usesOf = (source: string) => source.match(/= prepareSiteRead\(/g)?.length ?? 0;

/** The database of an isolate that has read nothing; `asked` has the SQL of its batches. */
function newIsolate() {
  const asked: string[] = [];
  const originals = new WeakMap<D1PreparedStatement, { sql: string; statement: D1PreparedStatement }>();
  const watch = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const bind = (...values: unknown[]) => watch(statement.bind(...values), sql);
    const watched = { bind } as D1PreparedStatement;
    originals.set(watched, { sql, statement });
    return watched;
  };
  const DB = {
    prepare: (sql: string) => watch(env.DB.prepare(sql), sql),
    batch(statements: D1PreparedStatement[]) {
      const known = statements.map((each) => requirePresent(originals.get(each)));
      asked.push(...known.map(({ sql }) => sql));
      return env.DB.batch(known.map(({ statement }) => statement));
    },
  } as D1Database;
  const open = () =>
    openRequestScope({
      request: new Request("http://localhost/"),
      env: { ...env, DB },
      credential: null,
      requestId: "test",
      defer: noteDeferred,
    });
  return {
    open,
    async readPage() {
      asked.length = 0;
      const scope = open();
      const [frame, { centers }] = await Promise.all([getSiteFrame(scope), getHomeExtras(scope)]);
      const { permissions } = (await scope.context()).guest;
      return { shown: { frame, centers, permissions: [...permissions.codes] }, asked: [...asked] };
    },
  };
}

async function readKept(): Promise<string[]> {
  await readStamps(env.DB);
  const { readPage } = newIsolate();
  const [first, second] = [await readPage(), await readPage()];
  expect(second.shown).toEqual(first.shown);
  return first.asked.filter((sql) => !second.asked.includes(sql));
}

test("a second page of an isolate reads no setting again", async () => {
  const uses = Object.values(SOURCES).reduce((sum, source) => sum + usesOf(source), 0);
  expect(uses).toBeGreaterThan(0);
  expect(await readKept()).toHaveLength(uses);
});

test("a change of what a kept read shows empties the site's stamp", async () => {
  for (const sql of await readKept()) {
    const tables = [...sql.matchAll(/\b(?:from|join) "?([a-z_]+)"?/gi)].map(([, name = ""]) => name);
    expect(tables.length, sql).toBeGreaterThan(0);
    for (const table of new Set(tables)) {
      const ofSite = pageStampTriggers.filter((each) => each.includes(` ON ${table} `) && each.includes("'site'"));
      expect(ofSite.map((each) => /AFTER (\w+)/.exec(each)?.[1]).toSorted(), table).toEqual([
        "DELETE",
        "INSERT",
        "UPDATE",
      ]);
      const [, watched = ""] = /UPDATE OF (.+) ON/.exec(ofSite.join("\n")) ?? [];
      const columns = (await env.DB.prepare(`PRAGMA table_info("${table}")`).all<{ name: string }>()).results;
      const unwatched = columns.filter(({ name }) => !watched.split(", ").includes(name));
      expect(
        unwatched.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(sql)),
        table,
      ).toEqual([]);
    }
  }
});

test.for([
  "UPDATE site_setting SET value = json_set(value, '$.siteName', '새 이름') WHERE key = 'site'",
  "UPDATE role SET permissions = '[]' WHERE role_code = 'guest'",
  "UPDATE board SET board_name = '새 이름' WHERE board_code = 'notice'",
  "UPDATE board SET is_closed = 1 WHERE board_code = 'notice'",
  "INSERT INTO center (region_code, region_name, center_name, sort_order) VALUES ('zz', '새 권역', '새 센터', 99)",
  "DELETE FROM site_setting WHERE key = 'site'",
])("a page after `%s` shows it", async (sql) => {
  await readStamps(env.DB);
  const isolate = newIsolate();
  const before = (await isolate.readPage()).shown;
  await runSql(sql);
  for (const renewed of [false, true]) {
    if (renewed) await readStamps(env.DB);
    const after = (await isolate.readPage()).shown;
    expect(after).toEqual((await newIsolate().readPage()).shown);
    expect(after).not.toEqual(before);
  }
});

test("nothing is kept while the stamp is empty", async () => {
  await runSql("UPDATE page_stamp SET stamp = '' WHERE scope = 'site'");
  const { readPage } = newIsolate();
  const first = await readPage();
  expect((await readPage()).asked).toEqual(first.asked);
});

test("an unfinished restore closes an isolate that keeps the settings", async () => {
  await readStamps(env.DB);
  const isolate = newIsolate();
  await isolate.readPage();
  await runSql("INSERT INTO page_stamp (scope, stamp) VALUES ('unfinished', '2026-11-21')");
  await expect(isolate.open().context()).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});
