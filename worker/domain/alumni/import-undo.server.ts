import { alumniSettings } from "./alumni-settings.server.ts";
import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { user } from "#db/schema/account.ts";
import { alumni, alumniImport } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportEntry, ImportUndoResult } from "#worker/contract/alumni/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { STAGED_ROW_COLUMNS } from "./import-columns.server.ts";
import { bumpAlumniRevision } from "./row.server.ts";

const KEPT_MAX = 1000;
const isUndoExpired = (ctx: AppContext, createdDate: Date) =>
  createdDate.getTime() + alumniSettings(ctx).undoDays * DAY_MS <= ctx.now().getTime();
/** The sweep may have forgotten what was changed while the days were fewer than they are now. */
const isImportKept = sql<number>`(alumni_import.updated = 0
  OR EXISTS (SELECT 1 FROM alumni_before WHERE import_id = alumni_import.id))`.as("is_kept");

export const undoExpired = (ctx: AppContext) =>
  new AppError("CONFLICT", { message: `되돌릴 수 있는 ${alumniSettings(ctx).undoDays}일이 지났습니다.` });

/** The newest imports, for the page. Needs Alumni_Import. */
export async function listImports(ctx: AppContext): Promise<ImportEntry[]> {
  authorize(ctx, { action: "Alumni_Import" });
  const rows = await ctx.db
    .select({
      importId: alumniImport.id,
      fileName: alumniImport.fileName,
      userName: user.userName,
      inserted: alumniImport.inserted,
      updated: alumniImport.updated,
      createdDate: alumniImport.createdDate,
      undoneDate: alumniImport.undoneDate,
      isKept: isImportKept,
    })
    .from(alumniImport)
    .leftJoin(user, eq(user.id, alumniImport.userId))
    .orderBy(desc(alumniImport.createdDate))
    .limit(20);
  return rows.map(({ createdDate, undoneDate, userName, isKept: kept, ...row }) => ({
    ...row,
    userName: userName ?? "",
    createdDate: createdDate.toISOString(),
    undoneDate: undoneDate?.toISOString() ?? null,
    undoable: undoneDate === null && kept === 1 && !isUndoExpired(ctx, createdDate),
  }));
}

/**
 * Takes an import back in one batch: what it added goes for good, what it changed is as before. Rows that somebody
 * edited since keep their edit and are named. Needs Alumni_Import.
 */
export async function undoImport(ctx: AppContext, importId: string): Promise<ImportUndoResult> {
  authorize(ctx, { action: "Alumni_Import" });
  const now = ctx.now();
  const [entry] = await ctx.db
    .select({ ...getTableColumns(alumniImport), isKept: isImportKept })
    .from(alumniImport)
    .where(eq(alumniImport.id, importId));
  if (!entry) throw new AppError("NOT_FOUND", { message: "가져오기 기록을 찾을 수 없습니다." });
  if (entry.undoneDate) throw new AppError("CONFLICT", { message: "이미 되돌린 가져오기입니다." });
  if (entry.isKept !== 1 || isUndoExpired(ctx, entry.createdDate)) throw undoExpired(ctx);
  // Two at once: the second finds the import undone and its statements no rows.
  const open = sql`EXISTS (SELECT 1 FROM alumni_import WHERE id = ${importId} AND undone_date IS NULL)`;
  const fields = STAGED_ROW_COLUMNS.slice(1);
  const [kept = [], removed = [], restored = [], , undone = []] = await runBatch(ctx.db, [
    ctx.db.all(sql`
      SELECT id, name FROM alumni WHERE import_id = ${importId} AND version <> 1 AND deleted_date IS NULL
      UNION ALL
      SELECT a.id, a.name FROM alumni_before b CROSS JOIN alumni a ON a.id = b.alumni_id
      WHERE b.import_id = ${importId} AND a.version <> b.version_after
      LIMIT ${KEPT_MAX}`),
    ctx.db
      .delete(alumni)
      .where(and(eq(alumni.importId, importId), eq(alumni.version, 1), open))
      .returning({ id: sql<number>`1` }),
    ctx.db.all(sql`
      UPDATE alumni SET (${sql.raw(fields.join(", "))}) = (${sql.raw(fields.map((name) => `b."values" ->> '${name}'`).join(", "))}),
        modified_date = ${now.getTime()}, version = version + 1
      FROM alumni_before b
      WHERE b.import_id = ${importId} AND alumni.id = b.alumni_id AND alumni.version = b.version_after AND ${open}
      RETURNING 1 AS one`),
    bumpAlumniRevision(ctx.db),
    ctx.db
      .update(alumniImport)
      .set({ undoneDate: now })
      .where(and(eq(alumniImport.id, importId), isNull(alumniImport.undoneDate)))
      .returning({ id: alumniImport.id }),
    audit(ctx, {
      action: "alumni.undoImport",
      targetType: "alumniImport",
      targetId: importId,
      subjectCount: entry.inserted + entry.updated,
    }),
  ]);
  if (undone.length === 0) throw new AppError("CONFLICT", { message: "이미 되돌린 가져오기입니다." });
  return { removed: removed.length, restored: restored.length, kept: kept as { id: string; name: string }[] };
}
