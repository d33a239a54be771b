import { alumniSettings } from "../setting.server.ts";
import { and, desc, eq, getTableColumns, ne, or, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { alumniBefore, alumniImport, alumniImportPerson, alumniStaged } from "#db/schema/alumni-import.ts";
import { columnsOf, idsIn } from "#db/sql.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { authorize, can } from "../../kernel/authorize.server.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { BINNED_SINCE, MERGED_SINCE, undoPeople } from "../deed/undo-people.server.ts";
import { KEPT_KIND } from "../deed/undo-rows.server.ts";
import { keepsAddedSql } from "../person-tables.server.ts";
import { isHeldByBackup, isInExport } from "../../audit/destruction.server.ts";
import { forgetAlumniStatements, keepAlumniTraces, KNOWN_COLUMNS } from "../deleted.server.ts";
import { bumpAlumniRevision } from "../row.server.ts";

const KEPT_MAX = 1000;
const isUndoExpired = (ctx: AppContext, createdDate: Date) =>
  daysLater(createdDate, alumniSettings(ctx).undoDays) < ctx.now();
/** The clean-up may have deleted undo data while `undoDays` was lower. */
export const isImportKept = sql<number>`(alumni_import.updated = 0 OR alumni_import.undo_started_date IS NOT NULL
  OR EXISTS (SELECT 1 FROM alumni_staged WHERE alumni_staged.import_id = alumni_import.id AND kind IN ('insert', 'update'))
  OR EXISTS (SELECT 1 FROM alumni_before WHERE import_id = alumni_import.id))`;

/** An import without Alumni_Write sets neither states nor refusals, so its undo must not either. */
export const restoresOfficeFields = sql<number>`EXISTS (SELECT 1 FROM alumni_before b CROSS JOIN alumni a ON a.id = b.alumni_id
  WHERE b.import_id = alumni_import.id AND (coalesce(b.after ->> 'state', a.state) <> b."values" ->> 'state'
    OR coalesce(b.after ->> 'refuses', a.refuses) <> b."values" ->> 'refuses'))`;

export const undoExpired = (ctx: AppContext) =>
  new AppError("CONFLICT", { message: `되돌릴 수 있는 ${alumniSettings(ctx).undoDays}일이 지났습니다.` });

export async function listImports(ctx: AppContext) {
  authorize(ctx, { action: "Alumni_Import" });
  const rows = await ctx.db
    .select({
      importId: alumniImport.id,
      fileName: alumniImport.fileName,
      userName: user.userName,
      ...columnsOf(alumniImport, "mode", "inserted", "updated", "createdDate", "undoneDate", "undoPassDate"),
      isKept: isImportKept.as("is_kept"),
    })
    .from(alumniImport)
    .leftJoin(user, eq(user.id, alumniImport.userId))
    .orderBy(desc(alumniImport.createdDate))
    .limit(20);
  return rows.map(({ createdDate, undoneDate, undoPassDate, userName, isKept: kept, ...row }) => ({
    importId: row.importId,
    fileName: row.fileName,
    userName: userName ?? "",
    mode: row.mode,
    inserted: row.inserted,
    updated: row.updated,
    createdDate: createdDate.toISOString(),
    undoneDate: undoneDate?.toISOString() ?? null,
    isUndoStarted: undoneDate === null && undoPassDate !== null,
    undoable: undoneDate === null && kept === 1 && (undoPassDate !== null || !isUndoExpired(ctx, createdDate)),
  }));
}

export type ImportEntry = View<typeof listImports>[number];

/** Begins the id of a change of fields, so that its undo asks for the right of editors before it reads. */
export const CHANGE_PREFIX = "c4a96e00-";

/** People reverted per call: about one second with thirty columns, between progress updates. */
const UNDO_STEP = 1000;

/** Why a person added by the import stays, or NULL. Every write of an entry but bin and undo sets another moment. */
const whyAddedStays = sql<string | null>`CASE WHEN alumni.merged_into IS NOT NULL THEN ${MERGED_SINCE}
  WHEN alumni.deleted_date IS NOT NULL THEN ${BINNED_SINCE}
  WHEN alumni.modified_date <> alumni.created_date THEN '그 뒤에 고쳤습니다.' ELSE ${keepsAddedSql(sql`alumni.id`)} END`;

/**
 * Reverts an import in batches; `left` counts the remaining people. Entries whose changed values were changed again are
 * kept and named, as are new people with something of their own; another undo can take them back in time. A begun undo
 * can be finished at any time. Needs Alumni_Import, for a change of fields, states or refusals Alumni_Write.
 */
export async function undoImport(ctx: AppContext, importId: string) {
  authorize(ctx, { action: importId.startsWith(CHANGE_PREFIX) ? "Alumni_Write" : "Alumni_Import" });
  const now = ctx.now();
  const restores = can(ctx.actor, { action: "Alumni_Write" }) ? sql<number>`0` : restoresOfficeFields;
  const [entry] = await ctx.db
    .select({ ...getTableColumns(alumniImport), isKept: isImportKept.as("is_kept"), restores: restores.as("restores") })
    .from(alumniImport)
    .where(eq(alumniImport.id, importId));
  if (!entry) throw new AppError("NOT_FOUND", { message: "가져오기 기록을 찾을 수 없습니다." });
  if (entry.undoneDate) throw alreadyUndone();
  if (entry.restores === 1) authorize(ctx, { action: "Alumni_Write" });
  const isBeginning = entry.undoPassDate === null;
  if (isBeginning && (entry.isKept !== 1 || isUndoExpired(ctx, entry.createdDate))) throw undoExpired(ctx);
  const people = await undoPeople(ctx, entry, UNDO_STEP);
  const added = sql`FROM alumni WHERE import_id = ${importId} AND ${whyAddedStays} IS NULL`;
  const isNothingKept = sql`NOT EXISTS (SELECT 1 FROM alumni WHERE import_id = ${importId})
    AND NOT EXISTS (SELECT 1 FROM alumni_before WHERE import_id = ${importId})`;
  // A parallel second call finds the import already undone, or another undo begun or ended.
  const open = {
    holds: sql`EXISTS (SELECT 1 FROM alumni_import WHERE id = ${importId} AND undone_date IS NULL
      AND undo_pass_date IS ${entry.undoPassDate?.getTime() ?? null})`,
    error: alreadyUndone,
  };
  const removed = await ctx.db
    .select(KNOWN_COLUMNS)
    .from(alumni)
    .where(sql`${alumni.id} IN (SELECT id ${added} LIMIT ${UNDO_STEP})`);
  const gone = idsIn(
    alumni.id,
    removed.map(({ id }) => id),
  );
  const isRemovable = {
    holds: sql`(SELECT count(*) FROM alumni WHERE ${gone} AND ${whyAddedStays} IS NULL) = ${removed.length}`,
    error: alreadyUndone,
  };
  const traced = await ctx.db
    .select(KNOWN_COLUMNS)
    .from(alumni)
    .where(and(gone, or(isInExport(sql`${alumni.id}`), isHeldByBackup(sql`${alumni.createdDate}`))));
  const changed = [...removed.map(({ id }) => id), ...people.restored];
  await runGuardedBatch(
    ctx,
    [open, isRemovable, ...people.guards],
    [
      ...(removed.length > 0 ? [...forgetAlumniStatements(ctx.db, gone), ctx.db.delete(alumni).where(gone)] : []),
      ...people.statements,
      ctx.db.run(sql`UPDATE alumni_before SET is_tried = 1
      WHERE ${idsIn(
        sql`alumni_id`,
        people.kept.map(({ id }) => id),
      )} AND import_id = ${importId}`),
      bumpAlumniRevision(ctx.db),
      ctx.db
        .update(alumniImport)
        .set({
          undoStartedDate: sql`coalesce(${alumniImport.undoStartedDate}, ${now.getTime()})`,
          undoPassDate: sql`coalesce(${alumniImport.undoPassDate}, ${now.getTime()})`,
          undoneDate: sql`iif(${isNothingKept}, ${now.getTime()}, NULL)`,
        })
        .where(eq(alumniImport.id, importId)),
      // Cancels the parts that are not committed yet; the file before is the last one again.
      ...(isBeginning
        ? [
            ctx.db
              .delete(alumniStaged)
              .where(and(eq(alumniStaged.importId, importId), ne(alumniStaged.kind, "refused"))),
            ctx.db.delete(alumniImportPerson).where(eq(alumniImportPerson.importId, importId)),
          ]
        : []),
      ...(isBeginning || changed.length > 0
        ? auditPeople(ctx, { action: "alumni.undoImport", targetType: "alumniImport", targetId: importId }, changed)
        : []),
      ...keepAlumniTraces(ctx, traced),
    ],
  );
  const [counted] = await ctx.db.all<{ left: number }>(sql`SELECT (SELECT count(*) ${added})
    + (SELECT count(*) FROM alumni_before WHERE import_id = ${importId} AND is_tried = 0) AS left`);
  const left = counted?.left ?? 0;
  const keptAdded = left === 0 ? await endUndo(ctx, importId) : [];
  return {
    removed: removed.length,
    restored: people.restored.length,
    kept: [...people.kept, ...keptAdded],
    left,
  };
}

/** Lets the next undo look at the kept entries again. @returns the added people who stay */
async function endUndo(ctx: AppContext, importId: string) {
  const [, , kept] = await ctx.db.batch([
    ctx.db.update(alumniImport).set({ undoPassDate: null }).where(eq(alumniImport.id, importId)),
    ctx.db.update(alumniBefore).set({ isTried: false }).where(eq(alumniBefore.importId, importId)),
    ctx.db
      .select({
        kind: KEPT_KIND.as("kind"),
        id: alumni.id,
        name: alumni.name,
        reason: sql<string>`${whyAddedStays}`.as("reason"),
      })
      .from(alumni)
      .where(eq(alumni.importId, importId))
      .limit(KEPT_MAX),
  ]);
  return kept;
}

export type UndoneImport = View<typeof undoImport>;

const alreadyUndone = () =>
  new AppError("CONFLICT", { message: "이미 되돌렸거나 다른 곳에서 되돌리고 있는 가져오기입니다." });
