import { env } from "cloudflare:workers";
import { DEFAULT_HOME_PARTS } from "#worker/contract/kernel/setting/site-setting.ts";
import { expect, test } from "vitest";
import { openRequestScope } from "../../support/open-scope.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { getHomeExtras, getHomePage } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { faultyDatabase } from "../../support/faulty-database.ts";
import { expectLog } from "../../support/expected-log.ts";

function scopeTo(DB: D1Database): RequestScope {
  const request = new Request("http://localhost/");
  return openRequestScope({ request, env: { ...env, DB }, credential: null, requestId: "test", defer: () => {} });
}

/** Fails the list of one board by its bound code, which is absent from the SQL. */
function withoutBoard(boardCode: string): D1Database {
  const bound = new WeakMap<object, unknown[]>();
  return new Proxy(env.DB, {
    get(target, key) {
      if (key === "prepare")
        return (sql: string) => {
          const statement = target.prepare(sql);
          return {
            bind: (...values: unknown[]) => {
              const made = statement.bind(...values);
              bound.set(made, /order by .*created_date/i.test(sql) ? values : []);
              return made;
            },
          };
        };
      if (key === "batch")
        return (statements: D1PreparedStatement[]) => {
          if (statements.some((statement) => bound.get(statement)?.includes(boardCode)))
            return Promise.reject(new Error("D1_ERROR: Network connection lost."));
          return target.batch(statements);
        };
      return Reflect.get(target, key) as unknown;
    },
  });
}

test("home shows one board when the other cannot be read", async () => {
  expectLog(/"READ".*Network connection lost/);
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "공지 글", showItemToMain: true });
  await createTestItem(admin, "reference", { title: "자료 글", showItemToMain: true });
  const scope = scopeTo(withoutBoard("reference"));
  const [frame, home, extras] = await Promise.all([getSiteFrame(scope), getHomePage(scope), getHomeExtras(scope)]);
  expect(home.boards.map(({ boardCode, items }) => [boardCode, items?.map((item) => item.title) ?? null])).toEqual([
    ["notice", ["공지 글"]],
    ["reference", null],
  ]);
  expect(frame.boards.map(({ boardCode }) => boardCode)).toContain("reference");
  expect(extras.centers).toEqual([]);
});

test("the boards are shown when the rest cannot be read", async () => {
  expectLog(/"READ".*Network connection lost/);
  await createTestItem(await createAdministratorSession(), "notice", { title: "공지 글", showItemToMain: true });
  const { DB } = faultyDatabase({ sql: /from "popup"/i, when: "before" });
  const scope = scopeTo(DB);
  const [home, extras] = await Promise.all([getHomePage(scope), getHomeExtras(scope)]);
  expect(home.boards[0]?.items).toHaveLength(1);
  const around = { actions: [], banner: null, quickLinks: [], popups: [], centers: [], subjects: null, events: [] };
  expect(extras).toEqual({ ...around, isBare: true, parts: DEFAULT_HOME_PARTS });
});

test("a read that fails once is retried invisibly", async () => {
  expectLog(/"READ".*Network connection lost/);
  await createTestItem(await createAdministratorSession(), "notice", { title: "공지 글", showItemToMain: true });
  const { DB, broke } = faultyDatabase({ sql: /from "board_item"/i, when: "before", times: 1 });
  const home = await getHomePage(scopeTo(DB));
  expect(home.boards[0]?.items).toHaveLength(1);
  expect(broke()).toBe(1);
});

test("when the identity lookup fails, every read is refused", async () => {
  expectLog(/"READ".*Network connection lost/);
  const { DB } = faultyDatabase({ sql: /left join "role"/i, when: "before" });
  await expect(getHomePage(scopeTo(DB))).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE", status: 503 });
});

test("an unavailable database is a 503 for every loader", async () => {
  expectLog(/"READ".*Network connection lost/);
  const { DB } = faultyDatabase({ sql: /./, when: "before" });
  const scope = scopeTo(DB);
  const results = await Promise.allSettled([getSiteFrame(scope), getHomePage(scope)]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
});

test.each([
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
])("an overloaded database is queried once: %s", async (message) => {
  const { DB, broke } = faultyDatabase({ sql: /./, when: "before", message });
  const scope = scopeTo(DB);
  const results = await Promise.allSettled([getSiteFrame(scope), getHomePage(scope), getHomeExtras(scope)]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(results[0]).toMatchObject({ reason: { code: "UPSTREAM_UNAVAILABLE", status: 503 } });
  expect(broke()).toBe(1);
  expectLog(/"READ".*D1 DB/);
});
