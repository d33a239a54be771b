import { desc, eq, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { dueWork } from "#db/schema/alumni-dues.ts";
import { columnsOf } from "#db/sql.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { authorize, authorizeConsole } from "../../kernel/authorize.server.ts";
import { fieldsOf } from "../../kernel/fields-of.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";

/** @throws AppError UNAUTHORIZED, FORBIDDEN without ADMIN_Access and Dues_Manage */
export function authorizeDues(ctx: AppContext) {
  authorizeConsole(ctx);
  return authorize(ctx, { action: "Dues_Manage" });
}

/** The Korean day of a deposit. */
export const PAID_DAY = sql`date(d.paid_date / 1000 + 32400, 'unixepoch')`;

/** Sums the allocations of dues and deposits again. @param which a condition on `due_allocation` @param kept omits others */
export const recountStatements = (ctx: Pick<AppContext, "db">, which = sql`1`, kept = sql`1`) => [
  ctx.db
    .run(sql`UPDATE due SET paid = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id AND ${kept})
    WHERE id IN (SELECT due_id FROM due_allocation WHERE ${which})`),
  ctx.db
    .run(sql`UPDATE deposit SET allocated = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id AND ${kept})
    WHERE id IN (SELECT deposit_id FROM due_allocation WHERE ${which})`),
];

const undoEnds = ({ createdDate }: { createdDate: Date }) => createdDate.getTime() + DUE_LIMITS.undoDays * DAY_MS;

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
  undoable: row.undoneDate === null && undoEnds(row) > now().getTime(),
});

/**
 * Takes back the deposits and dues of a work. A due that was paid or changed since is kept and counted. Needs
 * Dues_Manage. @throws AppError NOT_FOUND, CONFLICT after 30 days or a second time
 */
export async function undoDueWork(ctx: AppContext, id: string) {
  authorizeDues(ctx);
  const [work] = await ctx.db.select().from(dueWork).where(eq(dueWork.id, id));
  if (!work) throw new AppError("NOT_FOUND", { message: "회비 작업 기록을 찾을 수 없습니다." });
  if (undoEnds(work) <= ctx.now().getTime()) throw conflict(`되돌릴 수 있는 ${DUE_LIMITS.undoDays}일이 지났습니다.`);
  const ofWork = sql`deposit_id IN (SELECT id FROM deposit WHERE work_id = ${id})`;
  const people = sql`SELECT alumni_id AS id FROM due WHERE work_id = ${id} OR id IN (SELECT due_id FROM due_allocation WHERE ${ofWork})
    UNION SELECT alumni_id FROM due_list_person WHERE work_id = ${id}`;
  const isTaken = sql`work_id = ${id} AND paid = 0 AND version = 1`;
  const entry = { action: "due.undo", targetType: "dueWork", targetId: id, detail: { kind: work.kind } } as const;
  const guard = {
    holds: sql`EXISTS (SELECT 1 FROM due_work WHERE id = ${id} AND undone_date IS NULL)`,
    error: () => conflict("이미 되돌렸습니다."),
  };
  await runGuardedBatch(ctx, guard, [
    ...auditPeople(ctx, entry, { ids: people }),
    ...recountStatements(ctx, ofWork, sql`NOT (${ofWork})`),
    ctx.db.run(sql`DELETE FROM due_allocation WHERE ${ofWork}`),
    ctx.db.run(sql`DELETE FROM deposit WHERE work_id = ${id}`),
    ctx.db.run(sql`DELETE FROM due WHERE ${isTaken}`),
    ctx.db.run(sql`DELETE FROM due_list_person WHERE work_id = ${id}`),
    ctx.db.update(dueWork).set({ undoneDate: ctx.now() }).where(eq(dueWork.id, id)),
  ]);
  const [left] = await ctx.db.all<{ kept: number }>(sql`SELECT count(*) AS kept FROM due WHERE work_id = ${id}`);
  return { kept: left?.kept ?? 0 };
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

/** Moves what absorbed people owe and paid to the kept one; of two dues for one period a paid one is kept. */
export function mergeDuesStatements(ctx: Pick<AppContext, "db">, keepId: string, lost: readonly string[]) {
  const absorbed = sql`(SELECT value FROM json_each(${JSON.stringify(lost)}))`;
  return [
    ctx.db.run(sql`DELETE FROM due WHERE alumni_id = ${keepId} AND paid = 0 AND EXISTS (SELECT 1 FROM due AS other
      WHERE other.alumni_id IN ${absorbed} AND other.paid > 0 AND other.period = due.period AND other.kind_id = due.kind_id)`),
    ctx.db.run(sql`UPDATE OR IGNORE due SET alumni_id = ${keepId} WHERE alumni_id IN ${absorbed} AND paid > 0`),
    ctx.db.run(sql`UPDATE OR IGNORE due SET alumni_id = ${keepId} WHERE alumni_id IN ${absorbed}`),
    ctx.db.run(sql`DELETE FROM due WHERE alumni_id IN ${absorbed} AND paid = 0`),
    ...["due_payer", "due_list_person"].flatMap((table) => [
      ctx.db.run(sql`UPDATE OR IGNORE ${sql.raw(table)} SET alumni_id = ${keepId} WHERE alumni_id IN ${absorbed}`),
      ctx.db.run(sql`DELETE FROM ${sql.raw(table)} WHERE alumni_id IN ${absorbed}`),
    ]),
  ];
}
