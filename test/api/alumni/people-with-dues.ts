import { expect } from "vitest";
import { createSessionWith } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

/** Appears nowhere else, so that a search of an answer finds each leak. */
export const AMOUNT = 73_150;
export const LEAK = /73[,.]?150/;
export const PAID_DATE = Date.UTC(2026, 2, 2, 3);

export const OFFICE = ["ADMIN_Access", "Alumni_Read", "Alumni_Write", "Alumni_Export"];

/** May do everything with the address book except see dues. */
export const createPartialOffice = () => createSessionWith(OFFICE);
export const createDuesOffice = () => createSessionWith([...OFFICE, "Dues_Manage"]);

let serial = 0;

export async function insertPerson(name: string, email = "", more: { hold?: string } = {}): Promise<string> {
  const id = `d1000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`;
  await runSql(
    "INSERT INTO alumni (id, name, email, email_hold, cohort, created_date, modified_date) VALUES (?1, ?2, ?3, ?4, 7, 1, 1)",
    id,
    name,
    email || `due${serial}@pid.example.kr`,
    more.hold ?? null,
  );
  return id;
}

interface Charged {
  amount?: number;
  paid?: number;
  isExempt?: boolean;
  dueDay?: string;
  kindId?: string;
}

/** A due, with the deposit that paid it. @returns its id */
export async function charge(
  alumniId: string,
  period: string,
  { amount = AMOUNT, paid = 0, isExempt = false, dueDay = "2026-12-31", kindId = "yearly" }: Charged = {},
): Promise<string> {
  await runSql(
    "INSERT OR IGNORE INTO due_kind (id, name, amount, grades) VALUES (?1, iif(?1 = 'yearly', '연회비', '학술대회비'), 0, '[]')",
    kindId,
  );
  const id = `due-${++serial}`;
  await runSql(
    `INSERT INTO due (id, alumni_id, kind_id, period, amount, is_exempt, due_day, work_id, created_date, modified_date)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'work', 1, 1)`,
    id,
    alumniId,
    kindId,
    period,
    amount,
    Number(isExempt),
    dueDay,
  );
  if (paid > 0) await pay(id, paid);
  return id;
}

export async function pay(dueId: string, amount: number): Promise<void> {
  const depositId = `deposit-${++serial}`;
  await runSql(
    `INSERT INTO deposit (id, source, paid_date, payer, amount, hash, allocated, work_id, created_date)
     VALUES (?1, 'bank', ?2, '홍길동', ?3, ?1, ?3, 'work', 1)`,
    depositId,
    PAID_DATE,
    amount,
  );
  await runSql(
    "INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date) VALUES (?1 || '-part', ?1, ?2, ?3, 'name', 'u', 1)",
    depositId,
    dueId,
    amount,
  );
  await runSql("UPDATE due SET paid = paid + ?, version = version + 1 WHERE id = ?", amount, dueId);
}

export const expectNoAmount = (answer: unknown, where: string) =>
  expect([where, (typeof answer === "string" ? answer : JSON.stringify(answer)).match(LEAK)]).toEqual([where, null]);
