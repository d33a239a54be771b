import { alumniSettings } from "../setting.server.ts";
import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { user } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { alumniImport, alumniImportPreviewPart } from "#db/schema/alumni-import.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { authorize, can } from "../../kernel/authorize.server.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { abortBatchUnless, isBatchAborted } from "../../kernel/guarded-batch.server.ts";
import { STAGED_ROW_COLUMNS } from "../own-value.server.ts";
import { isHeldByBackup, isInExport } from "../../audit/destruction.server.ts";
import { forgetAlumniStatements, keepAlumniTraces, KNOWN_COLUMNS } from "../deleted.server.ts";
import { bumpAlumniRevision, emailHoldSql } from "../row.server.ts";

const KEPT_MAX = 1000;
const isUndoExpired = (ctx: AppContext, createdDate: Date) =>
  createdDate.getTime() + alumniSettings(ctx).undoDays * DAY_MS <= ctx.now().getTime();
/** The clean-up may have deleted undo data while `undoDays` was lower. */
const isImportKept = sql<number>`(alumni_import.updated = 0 OR alumni_import.undo_started_date IS NOT NULL
  OR EXISTS (SELECT 1 FROM alumni_staged WHERE alumni_staged.import_id = alumni_import.id AND kind IN ('insert', 'update'))
  OR EXISTS (SELECT 1 FROM alumni_before WHERE import_id = alumni_import.id))`.as("is_kept");

/** An import without Alumni_Write sets neither states nor refusals, so its undo must not either. */
const restoresOfficeFields = sql<number>`EXISTS (SELECT 1 FROM alumni_before b
  CROSS JOIN alumni a ON a.id = b.alumni_id AND a.version = b.version_after
  WHERE b.import_id = alumni_import.id AND (a.state <> b."values" ->> 'state' OR a.refuses <> b."values" ->> 'refuses'))`;

export const undoExpired = (ctx: AppContext) =>
  new AppError("CONFLICT", { message: `되돌릴 수 있는 ${alumniSettings(ctx).undoDays}일이 지났습니다.` });

export async function listImports(ctx: AppContext) {
  authorize(ctx, { action: "Alumni_Import" });
  const rows = await ctx.db
    .select({
      importId: alumniImport.id,
      fileName: alumniImport.fileName,
      userName: user.userName,
      ...columnsOf(alumniImport, "inserted", "updated", "createdDate", "undoneDate", "undoStartedDate"),
      isKept: isImportKept,
    })
    .from(alumniImport)
    .leftJoin(user, eq(user.id, alumniImport.userId))
    .orderBy(desc(alumniImport.createdDate))
    .limit(20);
  return rows.map(({ createdDate, undoneDate, undoStartedDate, userName, isKept: kept, ...row }) => ({
    importId: row.importId,
    fileName: row.fileName,
    userName: userName ?? "",
    inserted: row.inserted,
    updated: row.updated,
    createdDate: createdDate.toISOString(),
    undoneDate: undoneDate?.toISOString() ?? null,
    isUndoStarted: undoStartedDate !== null,
    undoable: undoneDate === null && kept === 1 && (undoStartedDate !== null || !isUndoExpired(ctx, createdDate)),
  }));
}

export type ImportEntry = View<typeof listImports>[number];

/** Begins the id of a change of fields, so that its undo asks for the right of editors before it reads. */
export const CHANGE_PREFIX = "c4a96e00-";

/** People reverted per call: about one second with thirty columns, between progress updates. */
const UNDO_STEP = 1000;

/**
 * Reverts an import in batches; `left` counts the remaining people. Rows edited since are kept and listed, as are new
 * people who paid or hold a certificate. Needs Alumni_Import, for a change of fields, states or refusals Alumni_Write.
 */
export async function undoImport(ctx: AppContext, importId: string) {
  authorize(ctx, { action: importId.startsWith(CHANGE_PREFIX) ? "Alumni_Write" : "Alumni_Import" });
  const now = ctx.now();
  const restores = can(ctx.actor, { action: "Alumni_Write" }) ? sql<number>`0` : restoresOfficeFields;
  const [entry] = await ctx.db
    .select({ ...getTableColumns(alumniImport), isKept: isImportKept, restores: restores.as("restores") })
    .from(alumniImport)
    .where(eq(alumniImport.id, importId));
  if (!entry) throw new AppError("NOT_FOUND", { message: "가져오기 기록을 찾을 수 없습니다." });
  if (entry.undoneDate) throw alreadyUndone();
  if (entry.restores === 1) authorize(ctx, { action: "Alumni_Write" });
  const isFirst = entry.undoStartedDate === null;
  if (isFirst && (entry.isKept !== 1 || isUndoExpired(ctx, entry.createdDate))) throw undoExpired(ctx);
  const fields = STAGED_ROW_COLUMNS.slice(1);
  const added = sql`FROM alumni WHERE import_id = ${importId} AND version = 1
    AND NOT EXISTS (SELECT 1 FROM due WHERE due.alumni_id = alumni.id AND due.paid > 0)
    AND NOT EXISTS (SELECT 1 FROM alumni_certificate c WHERE c.alumni_id = alumni.id AND c.withdrawn_date IS NULL)`;
  const step = sql`(SELECT * FROM alumni_before WHERE import_id = ${importId} ORDER BY alumni_id LIMIT ${UNDO_STEP})`;
  const isLast = sql`NOT EXISTS (SELECT 1 ${added}) AND NOT EXISTS (SELECT 1 FROM alumni_before WHERE import_id = ${importId})`;
  // A parallel second call finds the import already undone or started.
  const open = sql`EXISTS (SELECT 1 FROM alumni_import WHERE id = ${importId} AND undone_date IS NULL ${isFirst ? sql`AND undo_started_date IS NULL` : sql``})`;
  const traced = await ctx.db
    .select(KNOWN_COLUMNS)
    .from(alumni)
    .where(
      sql`${alumni.id} IN (SELECT id ${added} LIMIT ${UNDO_STEP})
        AND (${isInExport(sql`${alumni.id}`)} OR ${isHeldByBackup(sql`${alumni.createdDate}`)})`,
    );
  const forgotten = forgetAlumniStatements(ctx.db, sql`${alumni.id} IN (SELECT id ${added} LIMIT ${UNDO_STEP})`);
  const results = await runBatch(ctx.db, [
    ...forgotten,
    abortBatchUnless(ctx, open),
    ctx.db.all(sql`SELECT a.id, a.name FROM ${step} b CROSS JOIN alumni a ON a.id = b.alumni_id
        WHERE a.version <> b.version_after LIMIT ${KEPT_MAX}`),
    ctx.db.all(sql`DELETE FROM alumni WHERE id IN (SELECT id ${added} LIMIT ${UNDO_STEP}) RETURNING 1 AS one`),
    ctx.db.all(sql`
        UPDATE alumni SET (${sql.raw(fields.join(", "))}) = (${sql.raw(fields.map((name) => `b."values" ->> '${name}'`).join(", "))}),
          email_hold = ${emailHoldSql(ctx, sql.raw(`(b."values" ->> 'email')`))},
          modified_date = ${now.getTime()}, version = version + 1
        FROM ${step} b WHERE alumni.id = b.alumni_id AND alumni.version = b.version_after RETURNING 1 AS one`),
    ctx.db.run(
      sql`DELETE FROM alumni_before WHERE import_id = ${importId} AND alumni_id IN (SELECT alumni_id FROM ${step})`,
    ),
    bumpAlumniRevision(ctx.db),
    ctx.db
      .update(alumniImport)
      .set({
        undoStartedDate: sql`coalesce(${alumniImport.undoStartedDate}, ${now.getTime()})`,
        undoneDate: sql`iif(${isLast}, ${now.getTime()}, NULL)`,
      })
      .where(eq(alumniImport.id, importId)),
    ctx.db.all(sql`SELECT (SELECT count(*) ${added})
        + (SELECT count(*) FROM alumni_before WHERE import_id = ${importId}) AS people`),
    ctx.db.all(sql`SELECT id, name FROM alumni
        WHERE import_id = ${importId} AND deleted_date IS NULL AND ${isLast} LIMIT ${KEPT_MAX}`),
    // Cancels the parts that are not committed yet.
    ...(isFirst
      ? [
          ctx.db
            .delete(alumniImportPreviewPart)
            .where(and(eq(alumniImportPreviewPart.importId, importId), ne(alumniImportPreviewPart.kind, "refused"))),
          ...auditPeople(
            ctx,
            { action: "alumni.undoImport", targetType: "alumniImport", targetId: importId },
            {
              ids: sql`SELECT s.value AS id FROM audit_log l, audit_subject p, json_each(p.ids) s
                WHERE l.target_type = 'alumniImport' AND l.target_id = ${importId} AND l.action IN ('alumni.import', 'alumni.update') AND p.audit_id = l.id`,
              count: entry.inserted + entry.updated,
            },
          ),
        ]
      : []),
    ...keepAlumniTraces(ctx, traced),
  ]).catch((error: unknown) => {
    throw isBatchAborted(error) ? alreadyUndone() : error;
  });
  const [, kept = [], removed = [], restored = [], , , , counted = [], keptAdded = []] = results.slice(
    forgotten.length,
  );
  return {
    removed: removed.length,
    restored: restored.length,
    kept: [...kept, ...keptAdded] as { id: string; name: string }[],
    left: Number(counted[0]?.people ?? 0),
  };
}

const alreadyUndone = () =>
  new AppError("CONFLICT", { message: "이미 되돌렸거나 다른 곳에서 되돌리고 있는 가져오기입니다." });
