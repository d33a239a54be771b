import { alumniSettings } from "./alumni-settings.server.ts";
import { createHash } from "node:crypto";
import { and, desc, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alumniStaged, alumniStaging } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportResult, OpenImport } from "#worker/contract/alumni/view.ts";
import type { ImportPart, OpenImportInput } from "#worker/contract/alumni/import-input.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import type { RawRow } from "#worker/contract/alumni/table.ts";
import { permit, signedIn } from "../kernel/authorize.server.ts";
import { conditionFailed, onlyIf } from "../kernel/guard.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { isWanted, resultOf, storeRefused } from "./import.server.ts";
import { landImport } from "./import-commit.server.ts";
import { headOf, planImport } from "./import-preview.server.ts";
import { discardStaging, openStaging } from "./staging.server.ts";

type StagingRow = typeof alumniStaging.$inferSelect;

const gone = () =>
  new AppError("NOT_FOUND", { message: "보내던 가져오기를 찾을 수 없습니다. 파일을 다시 골라 주십시오." });
export const landed = () => new AppError("CONFLICT", { message: "이미 가져온 파일입니다." });
/** An import that comes in parts, not one that a call reads from a file. */
const inParts = sql`${alumniStaging.parts} > 0`;

/** Begins an import that comes in parts; what the caller had begun before is given up. Needs Alumni_Import. */
export async function openImport(ctx: AppContext, input: OpenImportInput): Promise<{ importId: string }> {
  permit(ctx, { action: "Alumni_Import" });
  const { userId } = signedIn(ctx);
  await countLimits(ctx, ["importLook", userId]);
  const { fileName, headRow, heads, mapping, parts } = input;
  const head = headOf([{ row: headRow, cells: heads }], mapping, alumniSettings(ctx));
  await ctx.db
    .delete(alumniStaging)
    .where(and(eq(alumniStaging.userId, userId), isNull(alumniStaging.landedDate), inParts));
  const { importId } = await openStaging(ctx, { fileId: "", fileName, head, parts });
  return { importId };
}

/** The caller's import that is not finished, if there is one. Needs Alumni_Import. */
export async function openImportOf(ctx: AppContext): Promise<OpenImport | null> {
  permit(ctx, { action: "Alumni_Import" });
  const mine = and(eq(alumniStaging.userId, signedIn(ctx).userId), isNull(alumniStaging.landedDate), inParts);
  const newest = ctx.db
    .select({ id: alumniStaging.id })
    .from(alumniStaging)
    .where(mine)
    .orderBy(desc(alumniStaging.createdDate))
    .limit(1);
  const [[staging], received] = await ctx.db.batch([
    ctx.db.select().from(alumniStaging).where(eq(alumniStaging.id, newest)),
    receivedParts(ctx, newest),
  ]);
  if (!staging) return null;
  const { id, fileName, createdDate, head, parts, plannedParts, summary } = staging;
  return {
    importId: id,
    fileName,
    createdDate: createdDate.toISOString(),
    headRow: head.row,
    heads: head.texts,
    columns: head.columns,
    mode: summary?.mode ?? null,
    parts,
    plannedParts,
    received,
  };
}

export const sentOf = (importId: string | SQLWrapper) =>
  and(eq(alumniStaged.importId, importId), eq(alumniStaged.kind, "sent"));

const receivedParts = (ctx: AppContext, importId: string | SQLWrapper) =>
  ctx.db
    .select({ partNo: alumniStaged.partNo, hash: alumniStaged.hash })
    .from(alumniStaged)
    .where(sentOf(importId))
    .orderBy(alumniStaged.partNo);

/** Another's import does not exist. */
export async function own(ctx: AppContext, importId: string): Promise<StagingRow> {
  const [staging] = await ctx.db
    .select()
    .from(alumniStaging)
    .where(and(eq(alumniStaging.id, importId), eq(alumniStaging.userId, signedIn(ctx).userId), inParts));
  if (!staging) throw gone();
  return staging;
}

/** Takes a part; the same part again replaces it, so that a lost answer does no harm. Needs Alumni_Import. */
export async function putPart(
  ctx: AppContext,
  importId: string,
  partNo: number,
  part: ImportPart,
): Promise<{ partNo: number; hash: string }> {
  permit(ctx, { action: "Alumni_Import" });
  const staging = await own(ctx, importId);
  if (staging.landedDate) throw landed();
  if (partNo > staging.parts) throw invalid({ partNo: `이 파일은 ${staging.parts}부분으로 되어 있습니다.` });
  const rows = JSON.stringify(part.rows);
  const hash = hashOf(rows);
  const row = { importId, kind: "sent" as const, planNo: 0, partNo, rows, hash };
  await change(ctx, importId, [
    ctx.db
      .insert(alumniStaged)
      .values(row)
      .onConflictDoUpdate({
        target: [alumniStaged.importId, alumniStaged.kind, alumniStaged.planNo, alumniStaged.partNo],
        set: { rows, hash },
      }),
  ]);
  return { partNo, hash };
}

/** Changes what was sent, unless it landed meanwhile. */
export async function change(ctx: AppContext, importId: string, statements: BatchItem<"sqlite">[]): Promise<void> {
  const isOpen = sql`EXISTS (SELECT 1 FROM alumni_staging WHERE id = ${importId} AND landed_date IS NULL)`;
  try {
    await ctx.db.batch([
      onlyIf(ctx, isOpen),
      ...statements,
      // A plan that is being made, or was, knew other rows.
      ctx.db
        .update(alumniStaging)
        .set({ planNo: sql`${alumniStaging.planNo} + 1`, plannedRevision: null, touchedDate: ctx.now() })
        .where(eq(alumniStaging.id, importId)),
    ]);
  } catch (error) {
    throw conditionFailed(error) ? gone() : error;
  }
}

export const hashOf = (rows: string) => createHash("sha256").update(rows).digest("hex");

/** Compares what was sent with the book; nothing of it is written there. Needs Alumni_Import. */
export async function planStaged(
  ctx: AppContext,
  importId: string,
  { mode }: { mode: "insert" | "upsert" },
): Promise<ImportResult> {
  permit(ctx, { action: "Alumni_Import" });
  const staging = await own(ctx, importId);
  if (staging.landedDate) throw landed();
  await countLimits(ctx, ["importLook", signedIn(ctx).userId]);
  const missing = staging.parts - (await receivedParts(ctx, importId)).length;
  if (missing > 0)
    throw new AppError("CONFLICT", { message: `아직 다 보내지 않았습니다. ${missing}부분이 남았습니다.` });
  const plan = await planImport(ctx, importId, { head: staging.head, rows: sentRows(ctx, importId) }, mode);
  return { ...resultOf(plan, false, true), errorFileUrl: await storeRefused(ctx, staging.head, plan) };
}

async function* sentRows(ctx: AppContext, importId: string): AsyncGenerator<RawRow> {
  for (let partNo = 1; ; partNo++) {
    // What is behind is noted where the next part is fetched anyway, for whoever waits to see.
    const [, [part]] = await ctx.db.batch([
      ctx.db
        .update(alumniStaging)
        .set({ plannedParts: partNo - 1 })
        .where(eq(alumniStaging.id, importId)),
      ctx.db
        .select({ rows: alumniStaged.rows })
        .from(alumniStaged)
        .where(and(sentOf(importId), eq(alumniStaged.planNo, 0), eq(alumniStaged.partNo, partNo))),
    ]);
    if (!part) return;
    for (const [row, cells] of JSON.parse(part.rows) as ImportPart["rows"]) yield { row, cells };
  }
}

/**
 * Lands what the dry run showed, all of it or nothing; once more answers as the first time. When the book changed
 * since and it would come to something else, nothing lands. Needs Alumni_Import.
 */
export async function landStaged(
  ctx: AppContext,
  importId: string,
  { skipInvalid }: { skipInvalid: boolean },
): Promise<ImportResult> {
  permit(ctx, { action: "Alumni_Import" });
  const staging = await own(ctx, importId);
  if (staging.landedDate) return landedResult(ctx, staging);
  const { head, fileId, fileName, summary } = staging;
  if (!summary || staging.plannedRevision === null)
    throw new AppError("CONFLICT", { message: "먼저 미리 보기로 무엇이 바뀌는지 확인해 주십시오." });
  if (!isWanted(summary, skipInvalid))
    return { ...(await landedResult(ctx, staging)), inserted: 0, updated: 0, applied: false };
  let planNo = staging.planNo;
  if (!(await landImport(ctx, { importId, planNo, fileId, fileName, summary }))) {
    const meanwhile = await own(ctx, importId);
    // A double click: the other one was quicker.
    if (meanwhile.landedDate) return landedResult(ctx, meanwhile);
    const plan = await planImport(ctx, importId, { head, rows: sentRows(ctx, importId) }, summary.mode);
    planNo = plan.planNo;
    const isSame = JSON.stringify(plan.summary) === JSON.stringify(summary);
    if (!isSame || !(await landImport(ctx, { importId, planNo, fileId, fileName, summary })))
      throw new AppError("CONFLICT", {
        message: "그사이 주소록이 바뀌었습니다. 다시 미리 보기로 확인한 뒤 가져와 주십시오.",
      });
  }
  return landedResult(ctx, { ...staging, planNo });
}

/** What an import came to, without the rows that the dry run showed. */
async function landedResult(ctx: AppContext, { id, head, planNo, summary }: StagingRow): Promise<ImportResult> {
  const plan = {
    importId: id,
    planNo,
    summary: summary ?? { mode: "upsert" as const, total: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 },
    problems: [],
    preview: [],
    warnings: [],
  };
  return { ...resultOf(plan, true, false), errorFileUrl: await storeRefused(ctx, head, plan) };
}

/** Gives up what was sent; the book has none of it. Needs Alumni_Import. */
export async function discardImport(ctx: AppContext, importId: string): Promise<{ importId: string }> {
  permit(ctx, { action: "Alumni_Import" });
  const staging = await own(ctx, importId);
  if (staging.landedDate) throw landed();
  await discardStaging(ctx, importId);
  return { importId };
}
