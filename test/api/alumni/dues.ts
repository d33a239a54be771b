import { expect } from "vitest";
import { callAs } from "../../support/api-client.ts";
import type { TestSession } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

export async function makeDueKind(admin: TestSession, more: object = {}): Promise<string> {
  const body = { name: "연회비", amount: 30_000, ...more };
  const { code, data, fields } = await callAs(admin, "PUT", "/api/admin/due-kind", body);
  expect([code, fields]).toEqual(["SUCCESS", {}]);
  return data.id;
}

export const addDuePerson = async (admin: TestSession, values: object = {}): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", { name: "김하늘", ...values })).data.id;

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
