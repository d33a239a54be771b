/** @module-tag full */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connectDatabase } from "#db/client.ts";
import { duplicatesQuery, listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { alumniSearchTexts, initialsOf } from "#worker/contract/alumni/search.ts";
import { listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { countByIndex } from "#worker/domain/alumni/filter.server.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { explainRead } from "../../support/query-plans.ts";
import { measureRead } from "../../support/measured-read.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const AFFILIATIONS = ["한빛대학교병원", "새봄의원", "한빛 내과의원", "가온연구소"];
/** Adds people with search texts; one in `rareEvery` has a unique affiliation. */
async function addPeople(count: number, rareEvery: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => {
    const values = {
      name: `김${String.fromCharCode(0xac00 + (at % 500))}${String.fromCharCode(0xb098 + (at % 91))}`,
      affiliation: at % rareEvery === 0 ? "희귀질환센터" : (AFFILIATIONS[at % AFFILIATIONS.length] ?? ""),
      department: "",
      major: "",
      position: at % 2 === 0 ? "교수" : "원장",
      email: `p${at}@pid.example.kr`,
      mobile: `010-${String(1000 + (at % 9000))}-${String(at % 10_000).padStart(4, "0")}`,
      phone: "",
    };
    const all = { ...values, cohort: null, graduationYear: null, zipCode: "", address: "", memo: "" };
    return { id: `p${at}`, ...values, initials: initialsOf(values.name), ...alumniSearchTexts(all, []) };
  });
  for (let from = 0; from < rows.length; from += 2000)
    await env.DB.prepare(
      `INSERT INTO alumni (id, name, affiliation, position, email, mobile, initials, search_all, search_open, created_date, modified_date)
       SELECT value ->> 'id', value ->> 'name', value ->> 'affiliation', value ->> 'position', value ->> 'email', value ->> 'mobile',
         value ->> 'initials', value ->> 'searchAll', value ->> 'searchOpen', 1, 1 FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows.slice(from, from + 2000)))
      .run();
}

const queryOf = (search: string) => listAlumniQuery.parse(Object.fromEntries(new URLSearchParams(search)));

async function rowsOf(token: string, search: string): Promise<{ rows: number; total: number }> {
  const { answer, rows } = await measureRead(token, (scope) => getAlumniListPage(scope, queryOf(search)));
  return { rows, total: answer.people.totalElements };
}

test("a word of any length finds all people with a match", async () => {
  const admin = await createAdministratorSession();
  const add = async (fields: object) =>
    (await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", ...fields })).data.id;
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '면허', 'text', '[]', 'members')",
  );
  const id = await add({
    affiliation: "한빛대학교병원",
    email: "hong.gil@pid.example.kr",
    mobile: "010-1234-5678",
    own: { own1: "제 77-가호" },
  });
  await add({ name: "이나라", affiliation: "새봄의원" });
  const found = async (keyword: string) =>
    (await callAs(admin, "GET", `/api/alumni?keyword=${encodeURIComponent(keyword)}`)).data.content.map(
      (row: { id: string }) => row.id,
    );
  for (const keyword of [
    "홍",
    "길동",
    "동",
    "홍길동",
    "ㅎㄱㄷ",
    "ㄱ ㅎㄱ",
    "원 홍",
    "한빛 대학",
    "5678",
    "123456",
    "kr",
    "GIL@",
    "77가",
    "가호",
    "제77-가",
  ])
    expect([keyword, await found(keyword)]).toEqual([keyword, [id]]);
  for (const keyword of ["홍동", "길홍", "한빛 새봄", "77다", '"', "한빛*", 'a"b', "😀홍"])
    expect([keyword, await found(keyword)]).toEqual([keyword, []]);
  const path = `/api/alumni/${id}`;
  await callAs(admin, "PATCH", path, { name: "강감찬", own: {}, version: 1 });
  expect([await found("길동"), await found("감찬"), await found("77가")]).toEqual([[], [id], [id]]);
  await callAs(admin, "PATCH", path, { own: { own1: "" }, version: 2 });
  expect(await found("77가")).toEqual([]);
  await callAs(admin, "DELETE", path);
  expect(await found("감찬")).toEqual([]);
  await callAs(admin, "POST", "/api/alumni/restore-data", { ids: [id] });
  expect(await found("감찬")).toEqual([id]);
  await callAs(admin, "DELETE", path);
  await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [id] });
  expect(await readValue("SELECT count(*) AS n FROM alumni_term WHERE term = '강감찬'")).toBe(0);
});

test("a rare keyword reads few rows of any address book", async () => {
  const { accessToken } = await createAdministratorSession();
  await addPeople(400, 40);
  const searches = [
    "",
    "keyword=희귀질환",
    "keyword=희귀",
    "keyword=희귀 교수",
    "keyword=없는사람",
    "keyword=희귀&sort=cohort,DESC",
  ];
  const few = await Promise.all(searches.map((search) => rowsOf(accessToken, search)));
  expect(few.map(({ total }) => total)).toEqual([400, 10, 10, 10, 0, 10]);
  await runSql("DELETE FROM alumni");
  await addPeople(4000, 400);
  for (const [at, search] of searches.entries()) {
    const { rows, total } = await rowsOf(accessToken, search);
    expect([search, total]).toEqual([search, at === 0 ? 4000 : few[at]?.total]);
    // A common second word adds up to 1,001 counted rows.
    expect(rows, search).toBeLessThan((few[at]?.rows ?? 0) * 1.3 + (search.includes(" ") ? 1001 : 0));
  }
  // A word with too many matches is found by scanning the list order, with the same result.
  expect((await rowsOf(accessToken, "keyword=교수")).total).toBe(2000);
  expect((await rowsOf(accessToken, "keyword=김")).total).toBe(4000);
  const plans = await explainRead(accessToken, (scope) => getAlumniListPage(scope, queryOf("keyword=김")));
  expect(plans).toContain("SCAN alumni USING INDEX alumni_search");
  const narrow = await explainRead(accessToken, (scope) => getAlumniListPage(scope, queryOf("keyword=희귀질환")));
  expect(narrow.filter((detail) => detail.startsWith("SCAN alumni "))).toEqual([]);
  expect(narrow).toContain("SEARCH alumni USING INTEGER PRIMARY KEY (rowid=?)");
});

test("the index count of a common word always equals its rows", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await addPeople(2600, 400);
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '면허', 'text', '[]', 'members'), ('own2', '모임', 'choices', '[]', 'office')",
  );
  await runSql(
    `UPDATE alumni SET own = json_object('own1', '제 7-" ' || id || '가', 'own2', json_array('교수회', '교 수')) WHERE rowid % 2 = 0`,
  );
  const words = [
    "교수",
    "교",
    "원장",
    "김",
    "kr",
    "010",
    "한빛",
    "빛대학",
    "ㄱ",
    "7p",
    "수회",
    "한빛 교수",
    "없다",
    "한빛 김 교수",
    "ㄱㄴ 원장",
    "교수 교수",
    "0 1",
    "한빛 없다",
    '"',
    '7-"',
    '" 교수',
    "AND 교수",
    "한빛대 학교병",
  ];
  const totals = async (token: string, more: string) => {
    const found = [];
    for (const word of words) found.push((await rowsOf(token, `keyword=${word}${more}`)).total);
    return found;
  };
  const check = async (what: string) => {
    for (const { accessToken } of [admin, member])
      // A filter that everyone matches makes the rows be counted.
      expect([what, await totals(accessToken, "")]).toEqual([what, await totals(accessToken, "&f_name=filled")]);
  };
  await check("added");
  const plans = await explainRead(admin.accessToken, (scope) => getAlumniListPage(scope, queryOf("keyword=교수")));
  expect(plans.filter((detail) => detail.includes("alumni_term")).length).toBeGreaterThan(1);
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE rowid % 9 = 0");
  await runSql("UPDATE alumni SET search_all = replace(search_all, '교수', '원장') WHERE rowid % 7 = 0");
  await runSql("DELETE FROM alumni WHERE rowid % 11 = 0");
  await check("changed");
  await runSql("UPDATE alumni_field SET is_closed = 1 WHERE code = 'own2'");
  await check("closed");
  await runSql("UPDATE alumni_field SET is_closed = 0");
  await runSql(
    "INSERT OR REPLACE INTO site_setting (key, value, version, modified_date) VALUES ('alumni', json_object('off', json_array('position')), 1, 0)",
  );
  await check("a column not used");
});

test("a word without remaining matches finds no one", async () => {
  await addPeople(20, 400);
  const db = connectDatabase(env.DB);
  for (const [keyword, people] of [
    ["교수", 10],
    ["없다", 0],
    ["교수 없다", 0],
  ] as const)
    expect([keyword, await db.get(sql`SELECT (${countByIndex(keyword, sql`SELECT -1`)}) AS people`)]).toEqual([
      keyword,
      { people },
    ]);
});

test("possible duplicates read few rows of any address book", async () => {
  const { accessToken } = await createAdministratorSession();
  const importId = "0000000a-0000-4000-8000-000000000000";
  const addAlike = (count: number, person: string) =>
    env.DB.prepare(
      `WITH RECURSIVE step (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM step WHERE at < ? - 1)
       INSERT INTO alumni (id, name, cohort, import_id, created_date, modified_date) SELECT 'p' || at, ${person}, 1, 1 FROM step`,
    )
      .bind(count)
      .run();
  const pageOf = (search: object) =>
    measureRead(accessToken, async (scope) => listDuplicates(await scope.context(), duplicatesQuery.parse(search)));
  const grown = async (person: string, search: object) => {
    const pages = [];
    for (const count of [400, 3000]) {
      await runSql("DELETE FROM alumni");
      await addAlike(count, person);
      pages.push(await pageOf(search));
    }
    const [{ rows: few = 0 } = {}, { rows: many = 0, answer } = {}] = pages;
    expect(many, `${few} of 400, ${person}`).toBeLessThan(few * 1.2 + 20);
    return answer?.counts;
  };
  const pairs = `'사람' || (at / 2), 1, CASE WHEN at < 4 THEN '${importId}' END`;
  expect(await grown(pairs, {})).toMatchObject({ nameCohort: 100 });
  expect(await grown(pairs, { importId })).toMatchObject({ nameCohort: 2 });
  const crowd = "CASE at % 2 WHEN 0 THEN '김민 수' ELSE '김민수' END, at, NULL";
  expect(await grown(crowd, {})).toMatchObject({ nameAlike: 0 });
  // The third spelling sorts before both in the index and shares a cohort with one.
  await runSql("UPDATE alumni SET name = '김 민수', cohort = 10 WHERE id = 'p7'");
  expect((await pageOf({ reason: "nameAlike" })).answer.counts.nameAlike).toBe(1);
});

const SHARED_KEYS = [
  "SELECT 'mobile' AS reason, mobile AS first, '' AS second FROM alumni WHERE deleted_date IS NULL AND mobile <> '' GROUP BY mobile HAVING count(*) > 1",
  "SELECT 'email', email, '' FROM alumni WHERE deleted_date IS NULL AND email <> '' GROUP BY email HAVING count(*) > 1",
  "SELECT 'nameTail', name, substr(mobile, -4) FROM alumni WHERE deleted_date IS NULL AND mobile <> '' GROUP BY 2, 3 HAVING min(mobile) <> max(mobile)",
  "SELECT 'nameCohort', cohort, name FROM alumni WHERE deleted_date IS NULL AND cohort IS NOT NULL GROUP BY 2, 3 HAVING count(*) > 1",
  "SELECT 'nameYear', graduation_year, name FROM alumni WHERE deleted_date IS NULL AND graduation_year IS NOT NULL GROUP BY 2, 3 HAVING count(*) > 1",
  "SELECT 'nameAffiliation', affiliation, name FROM alumni WHERE deleted_date IS NULL AND affiliation <> '' GROUP BY 2, 3 HAVING count(*) > 1",
  "SELECT 'nameAlike', lower(replace(name, ' ', '')), '' FROM alumni WHERE deleted_date IS NULL GROUP BY 2 HAVING min(name) <> max(name)",
];

test("the shared keys are correct after every kind of write", async () => {
  const rows = async (queries: string[]) => {
    const found = await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
    return found
      .flatMap(({ results }) => results.map((row) => JSON.stringify(Object.values(row as object))))
      .toSorted();
  };
  const check = async () => {
    expect(await rows(["SELECT reason, first, second FROM alumni_alike"])).toEqual(await rows(SHARED_KEYS));
    expect(await readValue("SELECT people FROM alumni_count")).toBe(
      await readValue("SELECT count(*) FROM alumni WHERE deleted_date IS NULL"),
    );
    expect(await readValue("SELECT count(*) FROM alumni_gram")).toBe(
      await readValue("SELECT count(*) FROM alumni WHERE deleted_date IS NULL"),
    );
  };
  let seed = 7;
  const pick = <T>(values: readonly T[]): T =>
    values[(seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % values.length] as T;
  const values = () => ({
    name: pick(["김철수", "김 철수", "Kim", "kim", "이나라"]),
    cohort: pick([null, 1, 2]),
    year: pick([null, 2001]),
    affiliation: pick(["", "한빛", "새봄"]),
    email: pick(["", "a@b.kr", "c@d.kr"]),
    mobile: pick(["", "010-0000-0001", "011-000-0001", "010-0000-0002"]),
    deleted: pick([null, null, null, 5]),
  });
  for (let round = 0; round < 12; round += 1) {
    const made = Array.from({ length: 6 }, (_, at) => ({ id: `p${(round * 3 + at) % 14}`, ...values() }));
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO alumni (id, name, cohort, graduation_year, affiliation, email, mobile, search_all, deleted_date, created_date, modified_date)
         SELECT value ->> 'id', value ->> 'name', value ->> 'cohort', value ->> 'year', value ->> 'affiliation', value ->> 'email', value ->> 'mobile', value ->> 'name', value ->> 'deleted', 1, 1
         FROM json_each(?) WHERE true
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, cohort = excluded.cohort, graduation_year = excluded.graduation_year, affiliation = excluded.affiliation,
           email = excluded.email, mobile = excluded.mobile, search_all = excluded.search_all, deleted_date = excluded.deleted_date`,
      ).bind(JSON.stringify(made)),
      env.DB.prepare("DELETE FROM alumni WHERE id = ?").bind(pick(made).id),
    ]);
    await check();
  }
});
