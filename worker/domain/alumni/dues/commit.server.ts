import { sql } from "drizzle-orm";
import { dueWork } from "#db/schema/alumni-dues.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import type { StoredDoubt } from "#worker/contract/alumni/dues/dues.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { storeAddedRows, storeDeed } from "../deed/deed-tables.server.ts";
import { type AddedRow, isIn } from "./account.server.ts";
import { duesUnchanged, listOf, payStatements, peopleOf } from "./book.server.ts";
import { makePlan } from "./plan.server.ts";
import { authorizeDues } from "./work.server.ts";

const stale = () => conflict("그사이 회비나 입금이 바뀌었습니다. 파일을 다시 확인해 주십시오.");

type NewDeposit = Omit<AddedRow, "doubt"> & { doubt: StoredDoubt; relatedId: string; isClosed: boolean };

type Plan = Awaited<ReturnType<typeof makePlan>>;

const isOther = ({ match }: Plan["planned"][number]) => match.pile === "other";

/** New deposits and withdrawals, and the twins that the office knows as others than the stored ones. */
function rowsToStore({ planned, twins, out, refundsWith }: Plan, separate: readonly number[]) {
  const others = new Set(separate);
  const kept = twins.filter(({ at }) => others.has(at));
  const withdrawn = kept.filter((row) => !isIn(row));
  const { ofAdded, ofStored } = refundsWith(withdrawn);
  // Pays what the office saw; the withdrawal makes it a question.
  const refunded = (row: NewDeposit): NewDeposit =>
    row.doubt === "" && ofAdded.has(row.id) ? { ...row, doubt: "refunded", relatedId: ofAdded.get(row.id) ?? "" } : row;
  return {
    deposits: [
      ...planned.map((row) => refunded({ ...row, isClosed: isOther(row) })),
      ...kept.filter(isIn).map((row) => ({ ...row, doubt: "twin" as const, relatedId: row.twin.id, isClosed: false })),
    ],
    withdrawals: [...out, ...withdrawn].map((row) => ({ ...row, doubt: "" as const, relatedId: "", isClosed: false })),
    returned: ofStored,
  };
}

const insertDeposits = (ctx: AppContext, workId: string, rows: readonly NewDeposit[]) =>
  jsonArrays(
    rows.map((row) => [
      row.id,
      row.moment.getTime(),
      row.payer,
      row.amount,
      row.balance,
      row.hash,
      row.doubt,
      row.relatedId,
      Number(row.isClosed),
    ]),
  ).map((chunk) =>
    ctx.db
      .run(sql`INSERT INTO deposit (id, source, paid_date, payer, amount, balance, hash, doubt, related_id, is_closed, work_id, created_date)
      SELECT value ->> 0, 'bank', value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, ${workId}, ${ctx.now().getTime()}
      FROM json_each(${chunk})`),
  );

/** Stored deposits that a new withdrawal returns become questions. */
function askStatements(ctx: AppContext, workId: string, returned: readonly { id: string; by: string }[]) {
  const asked = sql`t.id IN (${listOf(returned.map(({ id }) => id))})`;
  return storeDeed(ctx, workId, { deposit: asked }, [
    ctx.db.run(sql`UPDATE deposit SET doubt = 'refunded', related_id = g.value ->> 'by', version = version + 1
      FROM json_each(${JSON.stringify(returned)}) g WHERE deposit.id = g.value ->> 'id'`),
  ]);
}

/**
 * Stores what a bank's file adds to the account, and pays what is sure. Needs Dues_Manage. @throws AppError CONFLICT if
 * the plan changed since the office saw it
 */
export async function commitDeposits(ctx: AppContext, sent: Parsed<typeof input.commitDepositsInput>) {
  authorizeDues(ctx);
  const plan = await makePlan(ctx, sent);
  const { deposits, withdrawals, returned } = rowsToStore(plan, sent.separate);
  const stored = [...deposits, ...withdrawals];
  const allocations = plan.planned.flatMap(({ id, match: { cause, allocations: parts } }) =>
    cause ? parts.map((part) => ({ ...part, depositId: id, cause })) : [],
  );
  const matched = plan.planned.filter(({ match }) => match.cause !== null).length;
  const counts = { added: deposits.length, matched };
  const other = plan.planned.filter(isOther).length;
  if (stored.length === 0) return { ...counts, other, workId: "" };
  if (plan.fingerprint !== sent.fingerprint) throw stale();
  const workId = crypto.randomUUID();
  const work = { id: workId, kind: "bank" as const, name: sent.fileName, ...counts };
  const ofWork = sql`deposit_id IN (SELECT id FROM deposit WHERE work_id = ${workId})`;
  const detail = { count: counts.added, matched };
  const entry = { action: "deposit.import", targetType: "dueWork", targetId: workId, detail } as const;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM deposit WHERE hash IN (${listOf(stored.map(({ hash }) => hash))}))`;
  const guards = [
    { holds: plan.isUnchanged, error: stale },
    { holds: isNew, error: stale },
    duesUnchanged(plan.people, allocations),
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.insert(dueWork).values({ ...work, userId: requireSignedIn(ctx).userId, createdDate: ctx.now() }),
    ...insertDeposits(ctx, workId, stored),
    ...askStatements(ctx, workId, returned),
    ...payStatements(ctx, allocations, ofWork),
    ...storeAddedRows(ctx, workId, { deposit: sql`t.work_id = ${workId}`, allocation: ofWork }),
    ...auditPeople(ctx, entry, peopleOf(ofWork)),
  ]);
  return { ...counts, other, workId };
}
