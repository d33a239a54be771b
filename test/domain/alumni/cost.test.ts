import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { callAs } from "../../support/api-client.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { testDatabase } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const OWN = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`own${at + 1}`, `값${at}`]));

const insertPerson = (id: string, name: string, own: object) =>
  env.DB.prepare(
    `INSERT INTO alumni (id, name, cohort, graduation_year, affiliation, email, mobile, own, search_all, created_date, modified_date)
     VALUES (?, ?, 3, 2004, '한빛병원', ?, '010-0000-0001', ?, ?, 1, 1)`,
  )
    .bind(id, name, `${id}@pid.example.kr`, JSON.stringify(own), name)
    .run();

const written = async (set: string, id: string) =>
  (await env.DB.prepare(`UPDATE alumni SET ${set} WHERE id = ?`).bind(id).run()).meta.rows_written;

const valuesOf = async (id: string) =>
  (
    await env.DB.prepare("SELECT field, value, name FROM alumni_value WHERE alumni_id = ? ORDER BY field")
      .bind(id)
      .all()
  ).results;

test("a change writes only its consequences", async () => {
  await insertPerson("plain", "홍길동", {});
  await insertPerson("full", "김하나", OWN);
  await insertPerson("single", "박두리", { own1: "값0" });

  // The modified date is part of a list index and is always rewritten.
  const dated = await written("modified_date = 2", "full");
  expect(await written("memo = '새 메모', address = '', phone = '', modified_date = 3", "full")).toBe(dated);
  // Unchanged values that an import writes again.
  const same = "name, cohort, graduation_year, affiliation, email, mobile, own, search_all, initials";
  const again = await written(`(${same}) = (SELECT ${same} FROM alumni b WHERE b.id = alumni.id), memo = '또'`, "full");
  const without = await written("(major, memo) = (SELECT major, '다시' FROM alumni b WHERE b.id = alumni.id)", "full");
  expect(again - without).toBeLessThanOrEqual(2 * 9);

  const ofSeventeen = await written("own = json_set(own, '$.own1', '바뀜')", "full");
  expect(ofSeventeen).toBe(await written("own = json_set(own, '$.own1', '바뀜')", "single"));
  expect(await valuesOf("full")).toEqual(
    Object.entries({ ...OWN, own1: "바뀜" })
      .map(([field, value]) => ({ field, value, name: "김하나" }))
      .toSorted((a, b) => (a.field < b.field ? -1 : 1)),
  );
  await written("name = '김둘'", "full");
  expect(new Set((await valuesOf("full")).map(({ name }) => name))).toEqual(new Set(["김둘"]));
  expect(await valuesOf("full")).toHaveLength(17);
  await written("own = '{}'", "full");
  expect(await valuesOf("full")).toEqual([]);
});

test("duplicates are looked up only by the changed values", async () => {
  const reads = async (set: string) => {
    const { meta } = await env.DB.prepare(`UPDATE alumni SET ${set} WHERE id = 'a'`).run();
    return meta.rows_read;
  };
  const alike = async () =>
    (await env.DB.prepare("SELECT reason FROM alumni_alike ORDER BY reason").all<{ reason: string }>()).results.map(
      ({ reason }) => reason,
    );
  await insertPerson("a", "홍길동", {});
  await insertPerson("b", "홍길동", {});
  const ALL = ["mobile", "nameAffiliation", "nameCohort", "nameYear"];
  expect(await alike()).toEqual(ALL);
  const ofMobile = await reads("mobile = '010-0000-0002'");
  expect(await alike()).toEqual(["nameAffiliation", "nameCohort", "nameYear"]);
  await reads("mobile = '010-9999-0001'");
  expect(await alike()).toEqual(["nameAffiliation", "nameCohort", "nameTail", "nameYear"]);
  const ofName = await reads("name = '홍 길동'");
  expect(await alike()).toEqual(["nameAlike"]);
  expect(ofMobile).toBeLessThan(ofName);
  await reads("name = '홍길동', mobile = '010-0000-0001'");
  expect(await alike()).toEqual(ALL);
  for (const [set, reason] of [
    ["cohort = 4", "nameCohort"],
    ["graduation_year = 2005", "nameYear"],
    ["affiliation = '새봄의원'", "nameAffiliation"],
  ] as const) {
    await reads(set);
    expect([set, await alike()]).toEqual([set, ALL.filter((each) => each !== reason)]);
    await reads("cohort = 3, graduation_year = 2004, affiliation = '한빛병원'");
    expect(await alike()).toEqual(ALL);
  }
  await reads("email = 'b@pid.example.kr'");
  expect(await alike()).toEqual(["email", ...ALL]);
  await reads("deleted_date = 5");
  expect(await alike()).toEqual([]);
  await reads("deleted_date = NULL");
  expect(await alike()).toEqual(["email", ...ALL]);
});

async function withBook(left = 120) {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await leaveOfLimit(left, "alumniRows", member.user.id);
  const add = (name: string, email: string) => callAs(admin, "PUT", "/api/alumni", { name, email });
  await add("홍본인", member.user.email);
  for (let at = 0; at < 59; at += 1) await add(`가나${at}`, `${at}@pid.example.kr`);
  return { admin, member };
}
const call = (session: TestSession, query: string) => callAs(session, "GET", `/api/alumni?${query}`);
const page = async (session: TestSession, query: Record<string, string> = {}) => {
  const request = new Request("https://pid.example.kr/Alumni");
  const credential = { token: session.accessToken };
  const scope = openRequestScope({ request, env, credential, requestId: "test", defer: () => {} });
  return getAlumniListPage(scope, listAlumniQuery.parse(query));
};

test("the list warns near the hourly limit", { tags: "full" }, async () => {
  const { member } = await withBook(200);
  for (const at of [1, 2, 3]) expect((await call(member, `size=20&page=${at}`)).code).toBe("SUCCESS");
  expect((await page(member, { page: "1" })).readLimit).toBeNull();
  expect((await call(member, "size=50&page=1")).code).toBe("SUCCESS");
  expect((await page(member, { page: "3" })).readLimit).toMatchObject({ isUsedUp: false, max: 300 });
  expect((await call(member, "size=50&page=1")).code).toBe("SUCCESS");

  const closed = await page(member, { cohort: "", page: "2" });
  expect([closed.people.content, closed.mine?.name]).toEqual([[], "홍본인"]);
  expect(closed.readLimit).toMatchObject({ isUsedUp: true, max: 300, until: expect.any(String) });
  const refused = await call(member, "page=1");
  expect([refused.code, refused.message]).toEqual([
    "TOO_MANY_REQUESTS",
    expect.stringMatching(
      /한 시간에 300명까지 보여 드립니다\. \d+분 뒤에 다시 보실 수 있습니다\. 그동안에도 내 정보와 이름 검색은/,
    ),
  ]);
});

test("a search by name has a separate limit", async () => {
  const { member } = await withBook();
  for (let at = 0; at < 6; at += 1) await call(member, "size=20&page=1");
  expect((await call(member, "page=1")).code).toBe("TOO_MANY_REQUESTS");
  expect((await call(member, "keyword=홍본인")).data.content).toHaveLength(1);
  expect((await page(member, { keyword: "가나7" })).people.content.map(({ name }) => name)).toContain("가나7");
  expect((await call(member, "keyword=가나&page=2")).code).toBe("TOO_MANY_REQUESTS");
  for (let at = 0; at < 3; at += 1) await call(member, "keyword=가나&size=20");
  expect((await call(member, "keyword=가나")).code).toBe("TOO_MANY_REQUESTS");
});

test("the office has no limit", { tags: "full" }, async () => {
  const { admin } = await withBook();
  for (let at = 0; at < 8; at += 1) expect((await call(admin, "size=20&page=1")).code).toBe("SUCCESS");
  expect((await page(admin)).readLimit).toBeNull();
});

const DAY = 86_400_000;

test("undo data of old imports is deleted after 30 days", async () => {
  const now = Date.now();
  const person = (id: string, deletedDate: number | null) =>
    env.DB.prepare(
      "INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES (?, ?, 1, 1, ?)",
    ).bind(id, id, deletedDate);
  const replaced = (id: string, createdDate: number) => [
    env.DB.prepare(
      "INSERT INTO alumni_import (id, file_id, file_name, user_id, mode, inserted, updated, created_date, is_current) VALUES (?, 'f', 'f', 'u', 'upsert', 0, 1, ?, 1)",
    ).bind(id, createdDate),
    env.DB.prepare(
      "INSERT INTO alumni_before (import_id, alumni_id, \"values\", version_after) VALUES (?, 'a', '{}', 2)",
    ).bind(id),
  ];
  await env.DB.batch([
    person("남음", null),
    person("어제", now - DAY),
    person("오래전", now - 31 * DAY),
    ...replaced("새것", now - DAY),
    ...replaced("옛것", now - 31 * DAY),
  ]);
  await runScheduledJobs(env);
  const ids = async (query: string) => (await env.DB.prepare(query).raw()).flat().toSorted();
  expect(await ids("SELECT id FROM alumni")).toEqual(["남음", "어제"]);
  expect(await ids("SELECT import_id FROM alumni_before")).toEqual(["새것"]);
});

test("an import unfinished after a day is rolled back completely", async () => {
  const now = Date.now();
  const staging = (id: string, touchedDate: number) => [
    env.DB.prepare(
      "INSERT INTO alumni_staging (id, user_id, file_name, head, parts, created_date, touched_date) VALUES (?, 'u', 'f', '{}', 1, 1, ?)",
    ).bind(id, touchedDate),
    env.DB.prepare(
      "INSERT INTO alumni_staged (import_id, kind, plan_no, part_no, rows) VALUES (?, 'sent', 0, 1, '[]')",
    ).bind(id),
  ];
  await env.DB.batch([...staging("새것", now - DAY / 2), ...staging("옛것", now - DAY - 1)]);
  await cleanUpAlumni({ db: testDatabase(), now: () => new Date(now) });
  const ids = async (query: string) => (await env.DB.prepare(query).raw()).flat();
  expect(await ids("SELECT id FROM alumni_staging")).toEqual(["새것"]);
  expect(await ids("SELECT import_id FROM alumni_staged")).toEqual(["새것"]);
});
