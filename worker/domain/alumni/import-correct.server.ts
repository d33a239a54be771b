import { and, eq, sql } from "drizzle-orm";
import { alumniImportPreviewPart } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { findColumnIndex } from "#worker/contract/alumni/import-header.ts";
import type { CorrectCellsInput, ImportPart } from "#worker/contract/alumni/import-input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { tooLargeFileError } from "#worker/contract/alumni/csv.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { ownFields } from "./alumni-settings.server.ts";
import { changeSentParts, rowsHash, alreadyCommitted, requireOwnImport, isSentPart } from "./import-parts.server.ts";

/**
 * Corrects cells of a sent file. Needs Alumni_Import. @throws AppError INVALID_INPUT for an unknown cell; then nothing
 * changes
 */
export async function correctImportCells(
  ctx: AppContext,
  importId: string,
  { cells }: CorrectCellsInput,
): Promise<{ corrected: number }> {
  authorize(ctx, { action: "Alumni_Import" });
  const staging = await requireOwnImport(ctx, importId);
  if (staging.committedDate) throw alreadyCommitted();
  const { texts, columns } = staging.head;
  const byRow = new Map<number, [at: number, value: string][]>();
  for (const [index, { row, column, value }] of cells.entries()) {
    const at = findColumnIndex(texts, columns, column, ownFields(ctx));
    if (at < 0) throw invalidInput({ [`cells.${index}.column`]: "파일에 없는 열입니다." });
    byRow.set(row, [...(byRow.get(row) ?? []), [at, value]]);
  }
  const wanted = JSON.stringify([...byRow.keys()]);
  const parts = await ctx.db
    .select({ partNo: alumniImportPreviewPart.partNo, rows: alumniImportPreviewPart.rows })
    .from(alumniImportPreviewPart)
    .where(
      and(
        isSentPart(importId),
        sql`EXISTS (SELECT 1 FROM json_each(${alumniImportPreviewPart.rows}) r
          WHERE r.value ->> 0 IN (SELECT value FROM json_each(${wanted})))`,
      ),
    );
  let found = 0;
  const updates = parts.map((part) => {
    const corrected = (JSON.parse(part.rows) as ImportPart["rows"]).map(([row, before]): ImportPart["rows"][number] => {
      const changes = byRow.get(row);
      if (!changes) return [row, before];
      found += 1;
      const after = Array.from({ length: Math.max(before.length, texts.length) }, (_, at) => before[at] ?? "");
      for (const [at, value] of changes) after[at] = value;
      return [row, after];
    });
    const rows = JSON.stringify(corrected);
    if (new TextEncoder().encode(rows).byteLength > ALUMNI_LIMITS.storedBytes)
      throw tooLargeFileError("고친 내용이 너무 깁니다. 파일을 고쳐 다시 골라 주십시오.");
    return ctx.db
      .update(alumniImportPreviewPart)
      .set({ rows, hash: rowsHash(rows) })
      .where(and(isSentPart(importId), eq(alumniImportPreviewPart.partNo, part.partNo)));
  });
  if (found < byRow.size) throw invalidInput({ cells: "파일에 없는 행입니다." });
  await changeSentParts(ctx, importId, updates);
  return { corrected: cells.length };
}
