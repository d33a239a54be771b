import { expect } from "vitest";
import { callAs } from "../../support/api-client.ts";
import type { TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

export async function makeDueKind(admin: TestSession, more: object = {}): Promise<string> {
  const body = { name: "연회비", amount: 30_000, ...more };
  const { code, data, fields } = await callAs(admin, "PUT", "/api/admin/due-kind", body);
  expect([code, fields]).toEqual(["SUCCESS", {}]);
  return data.id;
}

export const addDuePerson = async (admin: TestSession, values: object = {}): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", { name: "김하늘", ...values })).data.id;

/** @param dues owed by period */
export async function addOwingPerson(
  id: string,
  name: string,
  dues: Record<string, number> = { 2026: 50_000 },
  { cohort = null, affiliation = "", mobile = "", state = "활동" }: Record<string, unknown> = {},
) {
  await runSql(
    "INSERT INTO alumni (id, name, search_all, cohort, affiliation, mobile, state, created_date, modified_date) VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 1, 1)",
    id,
    name,
    cohort,
    affiliation,
    mobile,
    state,
  );
  for (const [period, amount] of Object.entries(dues))
    await runSql(
      "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES (?, ?, 'k', ?, ?, '', 1, 1)",
      crypto.randomUUID(),
      id,
      period,
      amount,
    );
  return id;
}

export async function chargeAll(admin: TestSession, kindId: string, ids: string[], period = "2026", dueDay = "") {
  const body = { segment: { ids }, kindId, period, dueDay, count: ids.length };
  const { code, data } = await callAs(admin, "POST", "/api/admin/due/charge", body);
  expect(code).toBe("SUCCESS");
  return data as { workId: string };
}

/** Pays a person's due by a deposit, by default of the newest period and of this amount. */
export async function payDue(
  alumniId: string,
  paid: number,
  { period = "", paidDate = Date.now(), amount = paid } = {},
) {
  const id = crypto.randomUUID();
  const dueId = await readValue<string>(
    "SELECT id FROM due WHERE alumni_id = ?1 AND (?2 = '' OR period = ?2) ORDER BY period DESC LIMIT 1",
    alumniId,
    period,
  );
  await runSql(
    "INSERT INTO deposit (id, source, paid_date, payer, amount, hash, allocated, work_id, created_date) VALUES (?1, 'bank', ?2, '', ?3, ?1, ?4, 'w', 1)",
    id,
    paidDate,
    amount,
    paid,
  );
  await runSql(
    "INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date) VALUES (?1, ?1, ?2, ?3, 'person', 'u', 1)",
    id,
    dueId,
    paid,
  );
  await runSql("UPDATE due SET paid = paid + ? WHERE id = ?", paid, dueId);
  return id;
}

const STATE = `CASE WHEN due.is_exempt THEN 'exempt' WHEN due.paid >= due.amount THEN 'paid' WHEN due.paid > 0 THEN 'partial' ELSE 'unpaid' END`;
const IS_OPEN = "(NOT due.is_exempt AND due.paid < due.amount)";
const RECOUNTS = {
  due_sum: `SELECT period, kind_id, coalesce(CAST(alumni.cohort AS TEXT), '') AS cohort, ${STATE} AS state, count(*) AS dues,
      sum(amount) AS amount, sum(paid) AS paid
    FROM due LEFT JOIN alumni ON alumni.id = due.alumni_id GROUP BY 1, 2, 3, 4`,
  due_people: `SELECT period, state, count(*) AS people FROM (
      SELECT k.period, alumni_id, CASE WHEN min(is_exempt) THEN 'exempt' WHEN NOT max(${IS_OPEN}) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END AS state
      FROM (SELECT period FROM due UNION SELECT substr(period, 1, 4) FROM due) k
      JOIN due ON due.period = k.period OR substr(due.period, 1, 4) = k.period AND due.period NOT LIKE '%-행사%'
      JOIN alumni ON alumni.id = due.alumni_id AND alumni.deleted_date IS NULL GROUP BY 1, 2
      UNION ALL SELECT '', alumni_id, CAST(count(DISTINCT substr(period, 1, 4)) AS TEXT)
      FROM due JOIN alumni ON alumni.id = due.alumni_id AND alumni.deleted_date IS NULL WHERE ${IS_OPEN} AND due.period NOT LIKE '%-행사%' GROUP BY alumni_id)
    GROUP BY 1, 2`,
  due: "SELECT due.id, coalesce(alumni.name, iif(due.alumni_id = due.id, due.name, '')) AS name FROM due LEFT JOIN alumni ON alumni.id = due.alumni_id",
};

/** Owed minus paid is open: money that a due or a deposit counts is allocated, and no due holds more than it owes. */
const MISCOUNTED = `SELECT id, 'due' AS which FROM due
    WHERE paid <> (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id)
      OR paid > iif(is_exempt, 0, amount)
  UNION ALL SELECT id, 'deposit' FROM deposit
    WHERE allocated <> (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id)
      OR allocated > max(amount, 0)`;

/** Sums, counts and names kept by triggers equal those counted from the rows. */
export async function expectDuesCounted() {
  expect(await readRows(MISCOUNTED)).toEqual([]);
  const kept = {
    due_sum: "SELECT * FROM due_sum",
    due_people: "SELECT * FROM due_people WHERE people <> 0",
    due: "SELECT id, name FROM due",
  };
  const sorted = async (query: string) => (await readRows(query)).map((row) => JSON.stringify(row)).toSorted();
  for (const [table, query] of Object.entries(RECOUNTS))
    expect([table, await sorted(kept[table as keyof typeof kept])]).toEqual([table, await sorted(query)]);
}
