import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumniImport, alumniStaged, alumniStaging, type ImportSummary } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { activityStatements } from "../../mail/activity.server.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { storeIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { isBatchAborted, isUniqueViolation, abortBatchUnless } from "../../kernel/guarded-batch.server.ts";
import { storePeopleAfter } from "../deed/undo-people.server.ts";
import { ROW_BEFORE_JSON, STAGED_ROW_COLUMNS } from "../own-value.server.ts";
import { rememberPeopleStatements, type StagedPlan } from "./missing.server.ts";
import { bumpAlumniRevision, emailHoldSql } from "../row.server.ts";

interface ImportToCommit {
  importId: string;
  planNo: number;
  fileId: string;
  fileName: string;
  summary: ImportSummary;
  /** Of `choiceForm`. */
  form: string;
  /** Idempotent answer of the call that reads, plans and commits at once. */
  answer?: object;
  /** Commits only the first part; `commitNextPart` commits the others. */
  inSteps?: boolean;
}

const isStagedToCommit = ({ importId, planNo }: StagedPlan) =>
  sql`import_id = ${importId} AND plan_no = ${planNo} AND kind IN ('insert', 'update')`;

export const remainingPartsStatement = (ctx: AppContext, plan: StagedPlan) =>
  ctx.db
    .select({ count: sql<number>`count(*)`.as("left_parts") })
    .from(alumniStaged)
    .where(isStagedToCommit(plan));

const isNextPart = (plan: StagedPlan) =>
  sql`s.part_no = (SELECT min(part_no) FROM alumni_staged WHERE ${isStagedToCommit(plan)})`;

/** Moves staged rows into the book. @param began start of the commit; rows changed or deleted later are kept */
function moveStatements(ctx: AppContext, plan: StagedPlan, which: SQL, began: Date | null) {
  const { importId, planNo } = plan;
  const now = ctx.now().getTime();
  const stagedRows = (kind: "insert" | "update") =>
    sql`alumni_staged s, json_each(s.rows) r WHERE s.import_id = ${importId} AND s.kind = ${kind} AND s.plan_no = ${planNo} AND ${which}`;
  const isUntouched = (row: string) =>
    sql.raw(began === null ? "1" : `${row}.deleted_date IS NULL AND ${row}.modified_date <= ${began.getTime()}`);
  const target = sql`(SELECT r.value ->> 0 AS id FROM ${stagedRows("update")}) u CROSS JOIN alumni a ON a.id = u.id`;
  return [
    ...(began === null
      ? []
      : [
          ctx.db.run(sql`UPDATE alumni_import SET updated = updated - (SELECT count(*) FROM ${stagedRows("update")})
            + (SELECT count(*) FROM ${target} WHERE ${isUntouched("a")}) WHERE id = ${importId}`),
        ]),
    ctx.db.run(sql`
        INSERT INTO alumni (${sql.raw(STAGED_ROW_COLUMNS.join(", "))}, open_fields, import_id, created_date, modified_date, version)
        SELECT ${stagedValues(0)}, '[]', ${importId}, ${now}, ${now}, 1 FROM ${stagedRows("insert")}`),
    ctx.db.run(sql`
        INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
        SELECT ${importId}, a.id, ${sql.raw(ROW_BEFORE_JSON)}, a.version + 1 FROM ${target} WHERE ${isUntouched("a")}`),
    ctx.db.run(sql`
        UPDATE alumni SET (${sql.raw(STAGED_ROW_COLUMNS.slice(1).join(", "))}) = (${sql.raw(UPDATE_VALUES)}),
          email_hold = ${emailHoldSql(ctx, sql.raw(`u.n${STAGED_ROW_COLUMNS.indexOf("email")}`))},
          modified_date = ${now}, version = version + 1
        FROM (SELECT ${stagedValues(0, "n")} FROM ${stagedRows("update")}) u WHERE alumni.id = u.n0 AND ${isUntouched("alumni")}`),
    storePeopleAfter(ctx, importId),
    ctx.db.run(
      sql`DELETE FROM alumni_staged WHERE rowid IN (SELECT s.rowid FROM alumni_staged s WHERE s.import_id = ${importId} AND s.kind <> 'refused' AND (s.kind IN ('sent', 'seen') OR ${which}))`,
    ),
    bumpAlumniRevision(ctx.db),
  ];
}

/** Commits the next part of a plan, unless its undo has started. */
export async function commitNextPart(ctx: AppContext, plan: StagedPlan, began: Date): Promise<void> {
  const isGoingOn = sql`EXISTS (SELECT 1 FROM alumni_import WHERE id = ${plan.importId} AND undo_started_date IS NULL)`;
  await runBatch(ctx.db, [
    abortBatchUnless(ctx, isGoingOn),
    ...moveStatements(ctx, plan, isNextPart(plan), began),
    ctx.db.update(alumniStaging).set({ touchedDate: ctx.now() }).where(eq(alumniStaging.id, plan.importId)),
  ]).catch((error: unknown) => {
    if (!isBatchAborted(error)) throw error;
  });
}

/**
 * Commits a staged plan in one batch: all rows, or the first part. @returns false, with nothing written, when the book
 * or the staged rows changed @throws AppError TOO_MANY_REQUESTS at the daily row limit
 */
export async function commitImport(
  ctx: AppContext,
  { importId, planNo, summary, answer, inSteps = false, ...from }: ImportToCommit,
): Promise<boolean> {
  const me = requireSignedIn(ctx).userId;
  const now = ctx.now();
  const { inserted, updated } = summary;
  const limit = importRowsLimit(ctx, me, inserted + updated);
  const isCurrent = sql<number>`coalesce((
    SELECT planned_revision = (SELECT coalesce(max(revision), 0) FROM alumni_state)
    FROM alumni_staging WHERE id = ${importId} AND plan_no = ${planNo} AND committed_date IS NULL), 0)`;
  const which = inSteps ? isNextPart({ importId, planNo }) : sql`1`;
  try {
    await runBatch(ctx.db, [
      abortBatchUnless(ctx, limit.hasRoom),
      ctx.db.insert(alumniImport).values({
        id: importId,
        userId: me,
        mode: summary.mode,
        inserted,
        updated,
        createdDate: now,
        isCurrent,
        ...from,
      }),
      ...auditPeople(
        ctx,
        {
          action: "alumni.import",
          targetType: "alumniImport",
          targetId: importId,
          detail: {
            mode: summary.mode,
            inserted,
            updated,
            unchanged: summary.unchanged,
            rejected: summary.rejected,
            ...(summary.ended && { ended: summary.ended }),
          },
        },
        {
          ids: sql`SELECT r.value ->> 0 AS id FROM alumni_staged, json_each(rows) r WHERE ${isStagedToCommit({ importId, planNo })}`,
          count: inserted + updated,
        },
      ),
      ...rememberPeopleStatements(ctx, { importId, planNo }, from.form),
      ...moveStatements(ctx, { importId, planNo }, which, null),
      ctx.db.update(alumniStaging).set({ committedDate: now, touchedDate: now }).where(eq(alumniStaging.id, importId)),
      ...activityStatements(ctx, [{ userId: me, kind: "import", detail: { inserted, updated } }]),
      ...(answer ? storeIdempotentAnswer(ctx, answer) : []),
    ]);
    return true;
  } catch (error) {
    if (isBatchAborted(error)) throw await importRowsLimitError(ctx, limit);
    const text = `${error} ${error instanceof Error ? error.cause : ""}`;
    if (text.includes("alumni_import_is_current") || isUniqueViolation(error, "alumni_import.id")) return false;
    throw error;
  }
}

/** Counts rows of committed imports only. */
function importRowsLimit(ctx: AppContext, userId: string, rowCount: number) {
  const { max, windowSeconds } = RATE_LIMITS.importRowsDay;
  const begin = ctx.now().getTime() - windowSeconds * 1000;
  const recent = and(eq(alumniImport.userId, userId), gt(alumniImport.createdDate, new Date(begin)));
  const used = sql`(SELECT coalesce(sum(inserted + updated), 0) FROM alumni_import WHERE ${recent})`;
  return { begin, recent, hasRoom: sql`${used} + ${rowCount} <= ${max}` };
}

async function importRowsLimitError(ctx: AppContext, { begin, recent }: ReturnType<typeof importRowsLimit>) {
  const [oldest] = await ctx.db
    .select({ createdDate: alumniImport.createdDate })
    .from(alumniImport)
    .where(recent)
    .orderBy(alumniImport.createdDate)
    .limit(1);
  const retryAfterSeconds = Math.max(1, Math.ceil(((oldest?.createdDate.getTime() ?? begin) - begin) / 1000));
  return new AppError("TOO_MANY_REQUESTS", { message: retryAfterMessage(retryAfterSeconds), retryAfterSeconds });
}

const stagedValues = (from: number, as = "") =>
  sql.raw(
    STAGED_ROW_COLUMNS.slice(from)
      .map((_, at) => `r.value ->> ${at + from}${as && ` AS ${as}${at + from}`}`)
      .join(", "),
  );
const UPDATE_VALUES = STAGED_ROW_COLUMNS.slice(1)
  .map((_, at) => `u.n${at + 1}`)
  .join(", ");
