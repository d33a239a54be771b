import { type SQL, sql } from "drizzle-orm";
import type { AllocationCause } from "#worker/contract/alumni/dues/dues.ts";
import { nameParts, payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { PERSON_STATES } from "#worker/contract/mail/letters.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { type BatchGuard, conflict } from "../../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import type { DepositAllocation } from "./due-amounts.ts";
import type { MatchBook } from "./match.ts";
import { type BookPerson, type OpenDue, type OpenFee, type Payer, payersOf } from "./payer-book.ts";
import { isFeeSql, kindNameSql, recountStatements } from "./work.server.ts";

const OPEN = sql.raw("is_exempt = 0 AND paid < amount");

export const listOf = (values: readonly string[]) => sql`SELECT value AS id FROM json_each(${JSON.stringify(values)})`;

type PersonRow = Omit<BookPerson, "isActive" | "dues" | "fees"> & { isActive: number; dues: string; fees: string };

const openFees = (payer: SQL) => sql`(SELECT json_group_array(json_object('id', id, 'open', amount - paid,
    'from', date(created_date / 1000 + 32400, 'unixepoch'), 'title', ${kindNameSql("due")}))
  FROM due WHERE alumni_id = ${payer} AND ${OPEN} AND ${isFeeSql("due")})`;

/** People with what they owe, the oldest first. @param ids a query of `id` */
export async function readDuePeople(ctx: AppContext, ids: SQL): Promise<BookPerson[]> {
  const rows = await ctx.db.all<PersonRow>(sql`SELECT a.id, a.name, a.cohort, a.affiliation,
      substr(a.mobile, -4) AS mobileTail, a.state = ${PERSON_STATES[0]} AS isActive,
      (SELECT json_group_array(json_object('id', id, 'year', substr(period, 1, 4), 'open', amount - paid)) FROM
        (SELECT * FROM due WHERE alumni_id = a.id AND ${OPEN} AND NOT ${isFeeSql("due")} ORDER BY period)) AS dues, ${openFees(sql`a.id`)} AS fees
    FROM alumni a WHERE a.deleted_date IS NULL AND a.id IN (${ids})
    UNION ALL SELECT d.id, d.name, NULL, '', '', 1, '[]', ${openFees(sql`d.id`)} FROM due d
      WHERE d.alumni_id = d.id AND ${isFeeSql("d")} AND d.is_exempt = 0 AND d.paid < d.amount AND d.id IN (${ids})
    ORDER BY 2, 1`);
  return rows.map(({ isActive, dues, fees, ...row }) => ({
    ...row,
    isActive: isActive === 1,
    dues: JSON.parse(dues) as OpenDue[],
    fees: JSON.parse(fees) as OpenFee[],
  }));
}

/** Chosen people and registrations, each with what it owes. */
export async function readPayers(ctx: AppContext, ids: readonly string[]): Promise<Payer[]> {
  const people = await readDuePeople(
    ctx,
    sql`${listOf(ids)} UNION SELECT alumni_id FROM due WHERE id IN (${listOf(ids)})`,
  );
  return people.flatMap(payersOf).filter(({ id }) => ids.includes(id));
}

export const payerHash = (ctx: AppContext, payer: string) => ctx.tokens.hash("due-payer", payerKey(payer));

/** People who owe, people whose name is in a payer's text, and remembered ones. */
export async function readBook(ctx: AppContext, deposits: readonly { payer: string }[]): Promise<MatchBook> {
  if (deposits.length === 0) return { people: [], remembered: () => [] };
  const payers = deposits.map(({ payer }) => payer);
  const hashes = listOf([...new Set(payers.map((payer) => payerHash(ctx, payer)))]);
  const named = jsonArrays([...new Set(payers.flatMap(nameParts))]).map(
    (json) => sql`UNION SELECT n.id FROM json_each(${json}) p
      CROSS JOIN alumni n ON lower(replace(n.name, ' ', '')) = p.value AND n.deleted_date IS NULL`,
  );
  const ids = sql`SELECT alumni_id AS id FROM due WHERE ${OPEN}
    UNION SELECT alumni_id FROM due_payer WHERE payer IN (${hashes}) ${sql.join(named, sql` `)}`;
  const [people, rows] = await Promise.all([
    readDuePeople(ctx, ids),
    ctx.db.all<{ payer: string; id: string }>(
      sql`SELECT payer, alumni_id AS id FROM due_payer WHERE payer IN (${hashes})`,
    ),
  ]);
  const known = groupedBy(rows, ({ payer }) => payer);
  return { people, remembered: (payer) => (known.get(payerHash(ctx, payer)) ?? []).map(({ id }) => id) };
}

export const inKorea = <T extends { when: Date }>(row: T) => ({ ...row, when: koreanDateTime(row.when) });

export const candidateView = ({ id, name, cohort, affiliation, dues }: Payer) => {
  const open = dues.reduce((sum, due) => sum + due.open, 0);
  return { id, name, cohort, affiliation, open };
};

export type DepositCandidate = ReturnType<typeof candidateView>;

export const LOOK = { action: "deposit.list", targetType: "deposit" } as const;

export type NewAllocation = DepositAllocation & { depositId: string; cause: AllocationCause };

export function payStatements(ctx: AppContext, allocations: readonly NewAllocation[], ofDeposits: SQL) {
  const rows = allocations.map((each) => [crypto.randomUUID(), each.depositId, each.dueId, each.amount, each.cause]);
  return [
    ctx.db.run(sql`INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ${requireSignedIn(ctx).userId}, ${ctx.now().getTime()}
      FROM json_each(${JSON.stringify(rows)})`),
    ...recountStatements(ctx, ofDeposits),
  ];
}

/** Holds while the dues are open by as much as they were read. */
export function duesUnchanged(people: readonly BookPerson[], allocations: readonly DepositAllocation[]): BatchGuard {
  const paid = new Set(allocations.map(({ dueId }) => dueId));
  const dues = people
    .flatMap((person) => [...person.dues, ...person.fees])
    .flatMap(({ id, open }) => (paid.has(id) ? [[id, open]] : []));
  return {
    holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(dues)}) g LEFT JOIN due d ON d.id = g.value ->> 0
      AND d.is_exempt = 0 WHERE coalesce(d.amount - d.paid, 0) <> g.value ->> 1)`,
    error: () => conflict("그사이 회비가 바뀌었습니다. 다시 확인해 주십시오."),
  };
}

export const peopleOf = (ofDeposit: SQL) => ({
  ids: sql`SELECT DISTINCT alumni_id AS id FROM due WHERE id IN (SELECT due_id FROM due_allocation WHERE ${ofDeposit})`,
});
