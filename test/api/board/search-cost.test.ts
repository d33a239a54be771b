/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reindexStaleItems } from "#worker/domain/board/search-index.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { SITE_INVARIANTS } from "../../support/site-invariants.ts";
import { countRows, readValue, runSql, testDatabase } from "../../support/test-database.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { countRowsReadDatabase } from "../../support/rows-read.ts";
import { searchItems, searchedTitles } from "../../calls/board-search-calls.ts";

const ENTRIES = "search entries that contradict their item";

test("the 31st search of one guest within a minute is refused", async () => {
  const mine = { address: "203.0.113.7" };
  for (let at = 0; at < 30; at++) await searchItems({ keyword: "연구" }, mine);
  const refused = await searchItems({ keyword: "연구" }, mine);
  expect(refused.code).toBe("TOO_MANY_REQUESTS");
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await searchItems({ keyword: "연구" }, { address: "203.0.113.8" })).status).toBe(200);
});

test("searches of members are limited by account, whatever the address", async () => {
  const [session, other] = [await createMemberSession(), await createMemberSession()];
  const answers = await Promise.all(
    Array.from({ length: 31 }, (_, at) => searchItems({ keyword: "연구" }, { session, address: `203.0.113.${at}` })),
  );
  expect(answers.filter(({ code }) => code === "TOO_MANY_REQUESTS")).toHaveLength(1);
  expect((await searchItems({ keyword: "연구" }, { session: other, address: "203.0.113.1" })).status).toBe(200);
});

test("directly inserted items are indexed by the job", async () => {
  const now = Date.now();
  await runSql(
    "INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date) SELECT 'notice', value, '옮겨 온 글 ' || value, '<p>본문</p>', 'x', '편집부', ?1 + value, ?1 FROM json_each(?2)",
    now - 1000,
    JSON.stringify(Array.from({ length: 60 }, (_, at) => at + 1)),
  );
  expect((await searchItems({ keyword: "옮겨온" })).data.totalElements).toBe(0);
  expect(await reindexStaleItems({ db: testDatabase() })).toBe(60);
  expect((await searchItems({ keyword: "옮겨온" })).data.totalElements).toBe(60);
  expect(await reindexStaleItems({ db: testDatabase() })).toBe(0);
});

test("an item indexed before dates were terms is found within dates", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "예전 소식" });
  await createTestItem(admin, "notice", { title: "요즘 소식" });
  const old = "pnotice " + [..."예전소식"].flatMap((sign) => [`a${sign}`, `t${sign}`]).join(" ");
  await env.DB.batch([
    env.DB.prepare("UPDATE board_item_search SET is_stale = 0 WHERE item_id = 1"),
    env.DB.prepare("INSERT INTO board_search (rowid, terms) VALUES (1, ?)").bind(`${old} a소식 t소식 a예전 t예전`),
  ]);
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
  expect(await searchedTitles({ keyword: "소식", from: today })).toEqual(["요즘 소식", "예전 소식"]);
  expect(await searchedTitles({ keyword: "소식", to: "2001-01-01" })).toEqual([]);
});

test("a search of 4,000 items reads few rows", async () => {
  const now = Date.now();
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT 'notice', value, '연구 ' || value, '<p>연구를 알립니다' || iif(value % 1000 = 0, ' 희귀', '') || '</p>', 'x', '편집부', ?1 - (4000 - value) * 21600000, ?1 FROM json_each(?2)`,
    now - 1000,
    JSON.stringify(Array.from({ length: 4000 }, (_, at) => at + 1)),
  );
  // One run leaves time in the invocation for other jobs, whatever limit it is given.
  expect(await reindexStaleItems({ db: testDatabase() }, 100)).toBeLessThan(4000);
  while ((await reindexStaleItems({ db: testDatabase() }, 100)) > 0);
  const { accessToken: token } = await createAdministratorSession();
  const day = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const asked: [body: Record<string, unknown>, hits: number, query?: string][] = [
    [{ keyword: "연구" }, 500],
    [{ keyword: "연구" }, 500, "?page=25"],
    [{ keyword: "희귀" }, 4],
    [{ keyword: "희귀 연구" }, 4],
    [{ keyword: "흐흫" }, 0],
    [{ keyword: "편집부", target: "content" }, 0],
    [{ keyword: "편집부", target: "titleContent" }, 0],
    [{ keyword: "연구", from: day(903), to: day(900) }, 16],
    [{ keyword: "연구", to: day(990) }, 40],
    [{ keyword: "연구", to: "2001-12-31" }, 0],
  ];
  for (const [body, hits, query = ""] of asked) {
    const { DB, rows } = countRowsReadDatabase(env.DB);
    const { data } = await callApiWith({ DB }, "POST", `/api/board-item/search${query}`, { body, token });
    const found = Number(data?.totalElements);
    expect(found > 30 ? Math.round(found / 10) * 10 : found, JSON.stringify(body)).toBe(hits);
    // A hit costs at most six rows, and no search sorts or skips over five hundred.
    expect(rows(), JSON.stringify(body) + query).toBeLessThan(hits < 500 ? 1000 : 3200);
  }
  const beyond = await callApiWith({}, "POST", "/api/board-item/search?page=26", { body: { keyword: "연구" }, token });
  expect(beyond.data).toMatchObject({ content: [], totalElements: 0 });
});

test("the search entry of an item follows its board or secrecy", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "예전 소식" });
  const differing = () => readValue(requirePresent(SITE_INVARIANTS[ENTRIES]));
  expect(await differing()).toBe(0);
  for (const change of ["board_code = 'free'", "is_secret = 1", "created_user_id = 'other'", "created_date = 7"]) {
    await runSql(`UPDATE board_item SET ${change}`);
    expect(await differing(), change).toBe(0);
  }
  expect(await countRows("board_item_search")).toBe(1);
});

test("a word of frequent syllables checks a bounded number of items", async () => {
  const insert = (from: number, count: number) =>
    env.DB.prepare(
      `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
       SELECT 'notice', value, '안내 ' || value, '<p>가나 나다</p>', 'x', '편집부', ?1, ?1 FROM json_each(?2)`,
    )
      .bind(Date.now() - 1000, JSON.stringify(Array.from({ length: count }, (_, at) => from + at)))
      .run();
  const rowsReadBySearch = async () => {
    const { DB, rows } = countRowsReadDatabase(env.DB);
    const { data } = await callApiWith({ DB }, "POST", "/api/board-item/search", { body: { keyword: "가나다" } });
    expect(data).toMatchObject({ content: [] });
    return rows();
  };
  await insert(1, 5000);
  while ((await reindexStaleItems({ db: testDatabase() }, 100)) > 0);
  const before = await rowsReadBySearch();
  await insert(5001, 5000);
  while ((await reindexStaleItems({ db: testDatabase() }, 100)) > 0);
  // With twice the items, the cost follows the number of candidates.
  expect((await rowsReadBySearch()) / before).toBeLessThan(1.3);
});

const OUTSIDE = [
  "9999-12-31",
  "2101-01-01",
  "1899-12-31",
  "0001-01-01",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
];

test("a search refuses impossible dates", async () => {
  for (const name of ["from", "to"])
    for (const value of OUTSIDE) {
      const answer = await searchItems({ keyword: "연구", [name]: value });
      expect.soft([name, value, answer.status, Object.keys(answer.fields ?? {})]).toEqual([name, value, 400, [name]]);
    }
});

test("a search up to the last valid date uses no extra terms", async () => {
  let letters = 0;
  const DB = new Proxy(env.DB, {
    get(target, key) {
      if (key !== "prepare") return (target[key as keyof D1Database] as () => unknown).bind(target);
      return (sql: string) => {
        const statement = target.prepare(sql);
        return new Proxy(statement, {
          get: (_, name) =>
            name === "bind"
              ? (...values: unknown[]) => {
                  letters += values.reduce<number>((sum, value) => sum + String(value).length, sql.length);
                  return statement.bind(...values);
                }
              : statement[name as keyof D1PreparedStatement],
        });
      };
    },
  });
  const lettersOf = async (to: string) => {
    letters = 0;
    const body = { keyword: "연구 등록 결과", from: "1970-01-01", to };
    expect((await callApiWith({ DB }, "POST", "/api/board-item/search", { body })).status).toBe(200);
    return letters;
  };
  const today = await lettersOf(new Date().toISOString().slice(0, 10));
  expect(await lettersOf("2100-12-31")).toBeLessThan(today + 100);
});
