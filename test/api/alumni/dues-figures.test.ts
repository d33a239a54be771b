/** @module-tag full */
import { expect, test } from "vitest";
import { listDuesQuery, paidByQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { getDueFigures, listDues, listPaidBy } from "#worker/domain/alumni/dues/due.server.ts";
import { listAlumni } from "#worker/domain/alumni/list.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { measureRead } from "../../support/measured-read.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { addDuePerson, chargeAll, makeDueKind, payDue } from "./dues.ts";

const DUES = "/api/admin/due";
const at = (second: number) => new Date(second * 1000).toISOString();

const paidBy = async (admin: TestSession, kindId: string, second: number, period = "2026") => {
  const query = new URLSearchParams({ period, kindId, at: at(second) });
  return (await callAs(admin, "GET", `${DUES}/paid-by?${query}`)).data;
};

test("figures sum each year by cohort", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  expect((await callAs(admin, "GET", `${DUES}/figures`)).data).toMatchObject({ years: [], cohorts: [], year: "" });
  const a = await addDuePerson(admin, { name: "강하나", cohort: 3 });
  const b = await addDuePerson(admin, { name: "나두리", cohort: 3 });
  const c = await addDuePerson(admin, { name: "다세나" });
  await chargeAll(admin, kindId, [a], "2025");
  await chargeAll(admin, kindId, [a, b, c], "2026");
  await chargeAll(admin, kindId, [a], "2026-상반기");
  await payDue(a, 30_000, { period: "2026" });
  await payDue(b, 10_000);
  await runSql("UPDATE due SET is_exempt = 1 WHERE alumni_id = ?", c);
  const { data } = await callAs(admin, "GET", `${DUES}/figures`);
  expect(data).toMatchObject({
    year: "2026",
    years: [
      { label: "2026", count: 4, owed: 90_000, paid: 40_000, open: 50_000, exempt: 1 },
      { label: "2025", count: 1, owed: 30_000, paid: 0, open: 30_000, exempt: 0 },
    ],
    cohorts: [
      { label: "3기", count: 3, owed: 90_000, paid: 40_000, open: 50_000, exempt: 0 },
      { label: "기수 없음", count: 1, owed: 0, paid: 0, open: 0, exempt: 1 },
    ],
  });
  const { data: older } = await callAs(admin, "GET", `${DUES}/figures?year=2025`);
  expect(older.cohorts).toMatchObject([{ label: "3기", count: 1, open: 30_000 }]);
});

test("a list shows the people who had paid by a second", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [a, b, c, d] = [
    await addDuePerson(admin, { name: "강하나", cohort: 3 }),
    await addDuePerson(admin, { name: "나두리" }),
    await addDuePerson(admin, { name: "다세나" }),
    await addDuePerson(admin, { name: "라네나" }),
  ];
  await chargeAll(admin, kindId, [a, b, c, d]);
  await payDue(a, 10_000, { paidDate: 50_000 });
  await payDue(a, 20_000, { paidDate: 100_000 });
  await payDue(b, 29_999, { paidDate: 50_000 });
  await runSql("UPDATE due SET is_exempt = 1 WHERE alumni_id = ?", c);
  const exempt = [{ id: c, name: "다세나", cohort: null }];
  expect(await paidBy(admin, kindId, 99)).toEqual({ paid: [], exempt });
  expect(await paidBy(admin, kindId, 100)).toEqual({ paid: [{ id: a, name: "강하나", cohort: 3 }], exempt });
  expect(await paidBy(admin, "nothing", 100)).toEqual({ paid: [], exempt: [] });
  expect((await callAs(admin, "GET", `${DUES}/paid-by`)).data.paid).toEqual([{ id: a, name: "강하나", cohort: 3 }]);
});

test("the ledger needs a reason", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [a, b] = [
    await addDuePerson(admin, { name: "강하나", cohort: 3 }),
    await addDuePerson(admin, { name: "=나두리" }),
  ];
  await chargeAll(admin, kindId, [a, b]);
  const midnight = Date.parse("2026-03-01T15:00:00Z");
  for (const paidDate of [midnight + 5, midnight, midnight - 1]) await payDue(a, 10_000, { paidDate });
  const sheet = async (path: string, body: object) => {
    const response = await fetchApi("POST", path, { token: admin.accessToken, body: { format: "csv", ...body } });
    return [response.status, await response.text()] as const;
  };
  const head = "이름,기수,종류,연도,청구액,낸 금액,상태,낸 날\r\n";
  const paid = (days: string) => `강하나,3,연회비,2026,30000,30000,완납,${days}\r\n`;
  const asked = { period: "2026", reason: "총회" };
  expect(await sheet(`${DUES}/export`, asked)).toEqual([
    200,
    `${head}'=나두리,,연회비,2026,30000,0,미납,\r\n${paid('"2026-03-01, 2026-03-02"')}`,
  ]);
  expect((await sheet(`${DUES}/export`, { period: "2026" }))[0]).toBe(400);
  const until = (ms: number) => sheet(`${DUES}/export`, { ...asked, kindId, at: new Date(ms).toISOString() });
  expect(await until(midnight)).toEqual([200, head]);
  expect(await until(midnight + 5)).toEqual([200, head + paid('"2026-03-01, 2026-03-02"')]);
});

interface Allocation {
  second: number;
  amount: number;
}

/** The first second at which a due was paid in full, by adding its payments in their order. */
function fullSince({ owed, allocations }: { owed: number; allocations: Allocation[] }): number {
  let sum = 0;
  for (const { second, amount } of allocations.toSorted((one, other) => one.second - other.second)) {
    sum += amount;
    if (sum >= owed) return second;
  }
  return Infinity;
}

test("the payers by a second equal a model over 10,000 sequences", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  let seed = 35;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const people = Array.from({ length: 10_000 }, (_, nth) => {
    const owed = (1 + random(5)) * 10_000;
    const deposits: { second: number; free: number; id: string }[] = [];
    const allocations: (Allocation & { depositId: string })[] = [];
    for (let step = random(9); step > 0; step -= 1) {
      const act = random(4);
      const from = deposits[random(deposits.length || 1)];
      const open = owed - allocations.reduce((sum, { amount }) => sum + amount, 0);
      if (act === 0 || !from)
        deposits.push({ second: 1 + random(1000), free: (1 + random(5)) * 10_000, id: `d${nth}-${step}` });
      else if (act === 3 && allocations.length > 0) {
        const [gone] = allocations.splice(random(allocations.length), 1);
        const source = deposits.find(({ id }) => id === gone?.depositId);
        if (source && gone) source.free += gone.amount;
      } else {
        const amount = Math.min(from.free, open, (1 + random(5)) * 10_000);
        if (amount > 0) allocations.push({ second: from.second, amount, depositId: from.id });
        from.free -= amount;
      }
    }
    return { id: `p${nth}`, owed, isExempt: random(20) === 0, deposits, allocations };
  });
  const fill = async (rows: readonly object[], statement: string) => {
    for (let from = 0; from < rows.length; from += 5000)
      await runSql(statement, JSON.stringify(rows.slice(from, from + 5000)), kindId);
  };
  await fill(
    people.map(({ id }) => ({ id })),
    "INSERT INTO alumni (id, name, created_date, modified_date) SELECT value ->> 'id', value ->> 'id', 1, length(?2) FROM json_each(?1)",
  );
  await fill(
    people.map(({ id, owed, isExempt, allocations }) => {
      const paid = allocations.reduce((sum, { amount }) => sum + amount, 0);
      return { id, owed, paid, isExempt };
    }),
    `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, is_exempt, work_id, created_date, modified_date)
     SELECT 'due-' || (value ->> 'id'), value ->> 'id', ?2, '2026', value ->> 'owed', value ->> 'paid', value ->> 'isExempt', 'w', 1, 1 FROM json_each(?1)`,
  );
  await fill(
    people.flatMap(({ deposits }) => deposits),
    `INSERT INTO deposit (id, source, paid_date, amount, hash, work_id, created_date)
     SELECT value ->> 'id', 'bank', (value ->> 'second') * 1000, value ->> 'free', value ->> 'id', ?2, 1 FROM json_each(?1)`,
  );
  await fill(
    people.flatMap(({ id, allocations }) =>
      allocations.map(({ amount, depositId }, nth) => ({ id: `${id}-${nth}`, person: id, amount, depositId })),
    ),
    `INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
     SELECT value ->> 'id', value ->> 'depositId', 'due-' || (value ->> 'person'), value ->> 'amount', 'person', ?2, 1 FROM json_each(?1)`,
  );
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
  let listed = 0;
  for (const second of [0, 1, 250, 500, 750, 1000, 2000]) {
    const { paid, exempt } = await paidBy(admin, kindId, second);
    const owing = people.filter(({ isExempt }) => !isExempt);
    const full = owing.filter((person) => fullSince(person) <= second);
    expect(idsOf(paid)).toEqual(idsOf(full));
    expect(exempt).toHaveLength(people.length - owing.length);
    listed += paid.length;
  }
  expect(listed).toBeGreaterThan(3000);
});

test("one round trip reads few rows for 10,000 people", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const grow = async (people: number) => {
    await runSql(
      `INSERT OR IGNORE INTO alumni (id, name, search_all, cohort, created_date, modified_date)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT 'p' || i, name, name, i % 20 + 1, 1, 1 FROM (SELECT i, iif(i = 50, '강나율', '김동문' || i) AS name FROM n)`,
      people,
    );
    for (let year = 2017; year <= 2026; year += 1)
      await runSql(
        `INSERT OR IGNORE INTO due (id, alumni_id, name, cohort, is_listed, kind_id, period, amount, paid, work_id, created_date, modified_date)
         SELECT id || ?2, id, name, cohort, 1, ?1, ?2, 30000, 30000 * (rowid * 7 / 3 % 2), 'w', 1, 1 FROM alumni`,
        kindId,
        String(year),
      );
  };
  const dues = (asked: object) => (scope: RequestScope) => listDues(scope, listDuesQuery.parse(asked));
  const book = (asked: object) => (scope: RequestScope) =>
    listAlumni(scope, listAlumniQuery.parse({ ...asked, size: "20" }));
  const bounded = {
    list: dues({}),
    filter: dues({ state: "unpaid", period: "2020", kindId }),
    figures: (scope: RequestScope) => getDueFigures(scope, {}),
    keyword: dues({ keyword: "강나율" }),
    shortKeyword: dues({ keyword: "나율" }),
    stateInBook: book({ dues: "2024:unpaid,partial" }),
    yearsInBook: book({ dues: "years:3" }),
  };
  const read = async (reads: Record<string, (scope: RequestScope) => Promise<unknown>>) => {
    const counts: Record<string, number> = {};
    for (const [name, each] of Object.entries(reads)) {
      const { batches, rows } = await measureRead<unknown>(admin.accessToken, each);
      expect([name, batches]).toEqual([name, name.endsWith("Book") ? 2 : 1]);
      counts[name] = rows;
    }
    return counts;
  };
  await grow(100);
  const few = await read(bounded);
  await grow(10_000);
  const many = await read(bounded);
  await read({ meeting: (scope) => listPaidBy(scope, paidByQuery.parse({})) });
  expect(await readValue("SELECT count(*) FROM due")).toBe(100_000);
  const growth = Object.keys(bounded).map((name) => [name, (many[name] ?? 0) / (few[name] ?? 1)] as const);
  expect(growth.filter(([, times]) => times > 1.5)).toEqual([]);
}, 60_000);

test("a fixed list stays as the office saw it", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const a = await addDuePerson(admin, { name: "강하나", cohort: 3 });
  const b = await addDuePerson(admin, { name: "나두리" });
  await chargeAll(admin, kindId, [a, b]);
  await payDue(a, 30_000, { paidDate: 50_000 });
  const asked = { period: "2026", kindId, at: at(100) };
  expect((await callAs(admin, "PUT", `${DUES}/paid-by`, { ...asked, count: 2 })).code).toBe("CONFLICT");
  expect((await callAs(admin, "PUT", `${DUES}/paid-by`, { ...asked, kindId: "none", count: 1 })).code).toBe(
    "NOT_FOUND",
  );
  const { data: made } = await callAs(admin, "PUT", `${DUES}/paid-by`, { ...asked, count: 1 });
  await payDue(b, 30_000, { paidDate: 60_000 });
  expect((await paidBy(admin, kindId, 100)).paid).toHaveLength(2);
  const fixed = async () => (await callAs(admin, "GET", `${DUES}/paid-by?listId=${made.id}`)).data;
  expect(await fixed()).toEqual({ paid: [{ id: a, name: "강하나", cohort: 3 }], exempt: [] });
  const lists = async () => (await callAs(admin, "GET", `${DUES}/figures`)).data.lists;
  expect(await lists()).toMatchObject([{ id: made.id, name: "2026 연회비, 1970년 1월 1일 09:01 기준", count: 1 }]);
  const body = { period: "2026", listId: made.id, reason: "총회", format: "csv" };
  const sheet = await fetchApi("POST", `${DUES}/export`, { token: admin.accessToken, body });
  expect(await sheet.text()).toBe("이름,기수,상태\r\n강하나,3,완납\r\n");
  expect((await callAs(admin, "POST", `${DUES}/work/${made.id}/undo`, {})).code).toBe("SUCCESS");
  expect(await lists()).toEqual([]);
  expect((await callAs(admin, "GET", `${DUES}/paid-by?listId=${made.id}`)).code).toBe("NOT_FOUND");
  expect((await callAs(admin, "POST", `${DUES}/export`, body)).code).toBe("NOT_FOUND");
});
