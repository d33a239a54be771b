import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

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

test("a change writes only its consequences: none for a memo, one for one of seventeen own values", async () => {
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

test("duplicates are looked up only by the changed values, with the same result", async () => {
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
