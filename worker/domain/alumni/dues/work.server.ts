import { desc, eq, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { due, dueWork } from "#db/schema/alumni-dues.ts";
import { columnsOf, idsIn } from "#db/sql.ts";
import { DUE_LIMITS, FEE_PERIOD } from "#worker/contract/alumni/dues/dues.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { authorize, authorizeConsole } from "../../kernel/authorize.server.ts";
import { fieldsOf } from "../../kernel/fields-of.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { undoRows } from "../deed/undo-rows.server.ts";

/** @throws AppError UNAUTHORIZED, FORBIDDEN without ADMIN_Access and Dues_Manage */
export function authorizeDues(ctx: AppContext) {
  authorizeConsole(ctx);
  return authorize(ctx, { action: "Dues_Manage" });
}

/** Whether a due is the fee of a registration. @param row the due's name in the statement */
export const isFeeSql = (row: string) => sql`instr(${sql.raw(row)}.period, ${sql.raw(`'${FEE_PERIOD}'`)}) > 0`;

/** The name of a due's kind, or of the event whose fee it is. @param row the due's name in the statement */
export const kindNameSql = (row: string) => {
  const name = sql.raw(row);
  return sql<string>`coalesce((SELECT k.name FROM due_kind k WHERE k.id = ${name}.kind_id),
    (SELECT i.title || ' 참가비' FROM board_item i WHERE ${isFeeSql(row)} AND i.id = substr(${name}.period, ${sql.raw(String(5 + FEE_PERIOD.length))})), '')`;
};

/** The Korean day of a deposit. */
export const PAID_DAY = sql`date(d.paid_date / 1000 + 32400, 'unixepoch')`;

/**
 * Sums the allocations of dues and deposits again; a due of a destroyed person is kept only while it is paid. @param which a condition on `due_allocation` @param kept
 * omits others
 */
export const recountStatements = (ctx: Pick<AppContext, "db">, which = sql`1`, kept = sql`1`) => [
  ctx.db
    .run(sql`UPDATE due SET paid = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id AND ${kept})
    WHERE id IN (SELECT due_id FROM due_allocation WHERE ${which})`),
  ctx.db
    .run(sql`UPDATE deposit SET allocated = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id AND ${kept})
    WHERE id IN (SELECT deposit_id FROM due_allocation WHERE ${which})`),
  ctx.db.run(sql`DELETE FROM due WHERE paid = 0 AND id IN (SELECT due_id FROM due_allocation WHERE ${which})
    AND alumni_id <> id AND NOT EXISTS (SELECT 1 FROM alumni WHERE alumni.id = due.alumni_id)`),
];

const undoEnds = ({ createdDate }: { createdDate: Date }) => daysLater(createdDate, DUE_LIMITS.undoDays);

/** The last twenty runs, bank files, beginnings and fixed lists. */
export const dueWorksStatement = (db: AppContext["db"]) =>
  db
    .select({
      ...columnsOf(dueWork, "id", "kind", "name", "added", "matched", "createdDate", "undoneDate"),
      userName: sql<string>`coalesce(user.user_name, '')`.as("user_name"),
    })
    .from(dueWork)
    .leftJoin(user, eq(user.id, dueWork.userId))
    .orderBy(desc(dueWork.createdDate), dueWork.id)
    .limit(20);

type DueWorkRow = Awaited<ReturnType<typeof dueWorksStatement>>[number];

export const dueWorkView = ({ now }: Pick<AppContext, "now">, row: DueWorkRow) => ({
  ...fieldsOf(row, "id", "kind", "name", "userName", "added", "matched", "createdDate", "undoneDate"),
  undoable: row.undoneDate === null && undoEnds(row) >= now(),
});

/**
 * Takes back the deposits and dues of a work. One that was paid, matched or changed since is kept and named; another
 * undo can take it back later. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT after 30 days or a second time
 */
export async function undoDueWork(ctx: AppContext, id: string) {
  authorizeDues(ctx);
  const [work] = await ctx.db.select().from(dueWork).where(eq(dueWork.id, id));
  if (!work) throw new AppError("NOT_FOUND", { message: "회비 작업 기록을 찾을 수 없습니다." });
  if (undoEnds(work) < ctx.now()) throw conflict(`되돌릴 수 있는 ${DUE_LIMITS.undoDays}일이 지났습니다.`);
  const { statements, guards, kept, restored, removed, isLeft } = await undoRows(ctx, id);
  const people = sql`SELECT alumni_id AS id FROM deed_row WHERE deed_id = ${id} AND alumni_id <> ''
    UNION SELECT d.alumni_id FROM deed_row r JOIN due d ON d.id = r.after ->> 'due_id' WHERE r.deed_id = ${id}`;
  const entry = { action: "due.undo", targetType: "dueWork", targetId: id, detail: { kind: work.kind } } as const;
  const isOpen = {
    holds: sql`EXISTS (SELECT 1 FROM due_work WHERE id = ${id} AND undone_date IS NULL)`,
    error: () => conflict("이미 되돌렸습니다."),
  };
  await runGuardedBatch(
    ctx,
    [isOpen, ...guards],
    [
      ...auditPeople(ctx, entry, { ids: people }),
      ...statements,
      ...(isLeft ? [] : [ctx.db.update(dueWork).set({ undoneDate: ctx.now() }).where(eq(dueWork.id, id))]),
    ],
  );
  return { restored, removed, kept };
}

/** Destroys dues and deposits of the retention rule, and payers remembered before it. A deposit still in use is kept. */
export const destroyDuesStatements = (ctx: Pick<AppContext, "db">, ids: SQL, before: number) => [
  ...recountStatements(ctx, sql`due_id IN ${ids}`, sql`due_id NOT IN ${ids}`),
  ctx.db.run(sql`DELETE FROM due_allocation WHERE due_id IN ${ids}`),
  ctx.db.run(sql`DELETE FROM due WHERE id IN ${ids}`),
  ctx.db.run(sql`DELETE FROM deposit WHERE paid_date < ${before}
    AND NOT EXISTS (SELECT 1 FROM due_allocation WHERE deposit_id = deposit.id)`),
  ctx.db.run(sql`DELETE FROM due_payer WHERE used_date < ${before}`),
  ctx.db.run(
    sql`DELETE FROM due_list_person WHERE work_id IN (SELECT id FROM due_work WHERE created_date < ${before})`,
  ),
];

/** Dues of people who are merged, the newest first. */
export const mergedDuesStatement = (db: AppContext["db"], ids: readonly string[]) =>
  db
    .select({
      ...columnsOf(due, "alumniId", "kindId", "period", "amount", "paid", "isExempt"),
      kindName: kindNameSql("due").as("kind_name"),
    })
    .from(due)
    .where(idsIn(due.alumniId, ids))
    .orderBy(desc(due.period), due.kindId, due.id);

/**
 * Moves what absorbed people owe and paid to the kept one. Dues of one period and kind join: the larger amount is owed,
 * payments are added, an exemption wins. Money beyond what is owed is open on its deposit again.
 */
export function mergeDuesStatements(ctx: Pick<AppContext, "db">, keepId: string, ids: readonly string[]) {
  const people = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const same = sql`PARTITION BY period, kind_id`;
  const joined = sql`(SELECT id, first_value(id) OVER (${same} ORDER BY alumni_id <> ${keepId}, created_date, id) AS target,
      count(*) OVER (${same}) AS dues, max(amount) OVER (${same}) AS owed, max(is_exempt) OVER (${same}) AS exempt,
      first_value(reason) OVER (${same} ORDER BY is_exempt DESC, alumni_id <> ${keepId}, created_date, id) AS why,
      max(due_day) OVER (${same}) AS last_day
    FROM due WHERE alumni_id IN ${people})`;
  const fitting = sql`(SELECT x.id, max(0, min(x.amount, iif(d.is_exempt, 0, d.amount) - coalesce(sum(x.amount)
      OVER (PARTITION BY x.due_id ORDER BY x.created_date, x.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))) AS part
    FROM due_allocation x JOIN due d ON d.id = x.due_id WHERE d.id IN (SELECT target FROM ${joined} WHERE dues > 1))`;
  return [
    ctx.db.run(sql`UPDATE due_allocation SET due_id = j.target FROM ${joined} j
      WHERE due_allocation.due_id = j.id AND j.target <> j.id`),
    ctx.db
      .run(sql`UPDATE due SET amount = j.owed, is_exempt = j.exempt, reason = j.why, due_day = j.last_day, version = version + 1
      FROM ${joined} j WHERE due.id = j.id AND j.target = j.id AND j.dues > 1`),
    ctx.db.run(sql`UPDATE due_allocation SET amount = f.part FROM ${fitting} f WHERE due_allocation.id = f.id`),
    ctx.db.run(sql`DELETE FROM due WHERE id IN (SELECT id FROM ${joined} WHERE target <> id)`),
    ctx.db.run(sql`UPDATE due SET alumni_id = ${keepId} WHERE alumni_id IN ${people} AND alumni_id <> ${keepId}`),
    ...recountStatements(ctx, sql`due_id IN (SELECT id FROM due WHERE alumni_id = ${keepId})`),
    ctx.db.run(
      sql`DELETE FROM due_allocation WHERE amount = 0 AND due_id IN (SELECT id FROM due WHERE alumni_id = ${keepId})`,
    ),
  ];
}
