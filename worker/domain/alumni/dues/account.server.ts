import { type SQL, sql } from "drizzle-orm";
import { dayOf, gapsAround } from "#worker/contract/alumni/dues/account-gaps.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import { type AccountRow, findKnownRows } from "#worker/contract/alumni/dues/known-rows.ts";
import { findReturned, RETURN_DAYS } from "#worker/contract/alumni/dues/returns.ts";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { inKorea } from "./book.server.ts";

export type SentFile = Parsed<typeof input.planDepositsInput>;
type StoredRow = AccountRow & { id: string; hash: string; moment: Date };
export type AddedRow = ReturnType<typeof movementsOf>[number] & { id: string; hash: string };

export const isIn = ({ amount }: { amount: number }) => amount > 0;

/** `at` is the place among the file's deposits, with its withdrawals behind them. */
const movementsOf = ({ rows, withdrawals }: SentFile) =>
  [
    ...rows.map((row, at) => ({ ...row, at })),
    ...withdrawals.map((row, at) => ({ ...row, amount: -row.amount, at: rows.length + at })),
  ].map((row) => ({ ...inKorea(row), moment: row.when }));

/** The bank's rows of the file's days and of those in which a deposit may be returned. */
function aroundDaysOf(rows: readonly AccountRow[]): SQL {
  const days = rows.map((row) => dayOf(row)).toSorted();
  const [first = "2000-01-01", last = first] = [days[0], days.at(-1)];
  const from = startOfKoreanDay(first).getTime() - RETURN_DAYS * DAY_MS;
  const to = startOfKoreanDay(last).getTime() + (RETURN_DAYS + 1) * DAY_MS;
  return sql`source = 'bank' AND paid_date >= ${from} AND paid_date < ${to}`;
}

async function readStored(ctx: AppContext, around: SQL): Promise<StoredRow[]> {
  const rows = await ctx.db.all<Omit<StoredRow, "when" | "moment"> & { paidDate: number }>(
    sql`SELECT id, paid_date AS paidDate, payer, amount, balance, hash FROM deposit WHERE ${around} ORDER BY paid_date, id`,
  );
  return rows.map(({ paidDate, ...row }) => ({
    ...row,
    ...inKorea({ when: new Date(paidDate) }),
    moment: new Date(paidDate),
  }));
}

/** Numbers identical rows, so that none has the hash of a stored one. */
function hasher(ctx: AppContext, stored: readonly StoredRow[]) {
  const used = new Set(stored.map(({ hash }) => hash));
  const next = new Map<string, number>();
  return ({ moment, payer, amount, balance }: ReturnType<typeof movementsOf>[number]): string => {
    const text = JSON.stringify([moment.getTime(), payer, amount, balance]);
    for (let nth = next.get(text) ?? 0; ; nth += 1) {
      const hash = ctx.tokens.hash("deposit", `${text} ${nth}`);
      if (used.has(hash)) continue;
      next.set(text, nth + 1);
      return hash;
    }
  };
}

/** New withdrawals return deposits of any file, stored ones return new deposits. */
function findRefunds(stored: readonly StoredRow[], added: readonly AddedRow[]) {
  const outOf = <Row extends AccountRow>(rows: readonly Row[]) =>
    rows.flatMap((row) => (isIn(row) ? [] : [{ ...row, amount: -row.amount }]));
  const deposits = [...stored.filter(isIn), ...added.filter(isIn)];
  const returned = findReturned<StoredRow | AddedRow, StoredRow | AddedRow>(deposits, [
    ...outOf(stored),
    ...outOf(added),
  ]);
  const isNew = new Set(added.map(({ id }) => id));
  const refunds = [...returned].map(([{ id }, { id: by }]) => ({ id, by }));
  return {
    ofAdded: new Map(refunds.filter(({ id }) => isNew.has(id)).map(({ id, by }) => [id, by])),
    ofStored: refunds.filter(({ id, by }) => !isNew.has(id) && isNew.has(by)),
  };
}

/** Compares a file with what is stored of the account. */
export async function compareWithAccount(ctx: AppContext, sent: SentFile) {
  const rows = movementsOf(sent);
  const around = aroundDaysOf(rows);
  const stored = await readStored(ctx, around);
  const { same, twins, alike } = findKnownRows(rows, stored);
  const hashOf = hasher(ctx, stored);
  const added = rows
    .filter((row) => !same.has(row) && !twins.has(row))
    .map((row) => ({ ...row, id: crypto.randomUUID(), hash: hashOf(row), isAlike: alike.has(row) }));
  const probable = rows.flatMap((row) => {
    const twin = twins.get(row);
    return twin ? [{ ...row, id: crypto.randomUUID(), hash: hashOf(row), twin, isAlike: false }] : [];
  });
  return {
    added,
    twins: probable,
    /** @param kept withdrawals that the office knows as others than the stored ones like them */
    refundsWith: (kept: readonly AddedRow[]) => findRefunds(stored, [...added, ...kept]),
    gaps: gapsAround(rows, stored),
    isUnchanged: sql`(SELECT count(*) FROM deposit WHERE ${around}) = ${stored.length}`,
  };
}
