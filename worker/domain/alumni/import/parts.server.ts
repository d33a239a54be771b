import { alumniSettings, ownFields } from "../setting.server.ts";
import { createHash } from "node:crypto";
import { and, desc, eq, getTableColumns, isNull, or, sql, type SQLWrapper } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alumniImport, alumniStaging, alumniStaged } from "#db/schema/alumni-import.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import {
  hasRowsToCommit,
  type ImportResult,
  auditPreview,
  importResultOf,
  storeRefusedRows,
} from "#worker/domain/alumni/import/import.server.ts";
import type {
  correctCellsInput,
  ImportPart,
  OpenImportInput,
  previewImportInput,
} from "#worker/contract/alumni/import/input.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { type RawRow, tooLargeFileError } from "#worker/contract/alumni/import/sheet-content.ts";
import { authorize, requireSignedIn } from "../../kernel/authorize.server.ts";
import { abortBatchUnless, isBatchAborted } from "../../kernel/guarded-batch.server.ts";
import { chargeLimit, requireLimitRoom } from "../../kernel/limit.server.ts";
import { commitImport, commitNextPart, remainingPartsStatement } from "./commit.server.ts";
import { NO_IMPORT_FACTS } from "./facts.server.ts";
import { choiceForm, rememberAnswers } from "./memory.server.ts";
import { previewImport } from "./preview.server.ts";
import { importHeaderOf } from "./source.server.ts";
import { discardImportStaging, openImportStaging } from "./staging.server.ts";
import { findColumnIndex } from "#worker/contract/alumni/import/header.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";

type ImportStagingRow = typeof alumniStaging.$inferSelect;

const importNotFound = () =>
  new AppError("NOT_FOUND", { message: "보내던 가져오기를 찾을 수 없습니다. 파일을 다시 골라 주십시오." });
/** An import in parts, in contrast to one read from a file in a single call. */
const isInParts = sql`${alumniStaging.parts} > 0`;

/** Opens an import in parts and discards the caller's earlier one. Needs Alumni_Import. */
export async function openImport(ctx: AppContext, input: OpenImportInput): Promise<{ importId: string }> {
  authorize(ctx, { action: "Alumni_Import" });
  const { userId } = requireSignedIn(ctx);
  await requireLimitRoom(ctx, ["importLookRowsDay", userId]);
  const { fileName, headRow, heads, mapping, parts, sources, savedDate } = input;
  const found = importHeaderOf({ row: headRow, texts: heads }, mapping, alumniSettings(ctx), ownFields(ctx));
  const head = {
    ...found,
    ...(sources.length > 0 ? { sources } : {}),
    ...(savedDate ? { savedDate: savedDate.toISOString() } : {}),
  };
  await ctx.db
    .delete(alumniStaging)
    .where(and(eq(alumniStaging.userId, userId), isNull(alumniStaging.committedDate), isInParts));
  const { importId } = await openImportStaging(ctx, { fileId: "", fileName, head, parts });
  return { importId };
}

/** The caller's unfinished import; one being sent comes before one being committed. Needs Alumni_Import. */
export async function getOpenImport(ctx: AppContext) {
  authorize(ctx, { action: "Alumni_Import" });
  const mine = and(
    eq(alumniStaging.userId, requireSignedIn(ctx).userId),
    or(isNull(alumniStaging.committedDate), sql`${leftParts} > 0`),
    isInParts,
  );
  const newest = ctx.db
    .select({ id: alumniStaging.id })
    .from(alumniStaging)
    .where(mine)
    .orderBy(sql`${alumniStaging.committedDate} IS NOT NULL`, desc(alumniStaging.createdDate))
    .limit(1);
  const [[found], received] = await ctx.db.batch([
    ctx.db
      .select({ staging: getTableColumns(alumniStaging), left: leftParts.as("left_parts") })
      .from(alumniStaging)
      .where(eq(alumniStaging.id, newest)),
    receivedPartsStatement(ctx, newest),
  ]);
  if (!found) return null;
  const { staging, left } = found;
  const { id, fileName, createdDate, head, parts, plannedParts, summary } = staging;
  return {
    importId: id,
    fileName,
    createdDate: createdDate.toISOString(),
    headRow: head.row,
    heads: head.texts,
    columns: head.columns,
    sources: head.sources ?? [],
    mode: summary?.mode ?? null,
    parts,
    /** Parts compared with the address book so far. */
    plannedParts,
    left: staging.committedDate === null ? 0 : left,
    /** SHA-256 in hex of each part's JSON rows. */
    received,
  };
}

export type OpenImport = NonNullable<View<typeof getOpenImport>>;

const leftParts = sql<number>`(SELECT count(*) FROM alumni_staged WHERE alumni_staged.import_id = "alumni_staging"."id" AND kind IN ('insert', 'update'))`;

const isSentPart = (importId: string | SQLWrapper) =>
  and(eq(alumniStaged.importId, importId), eq(alumniStaged.kind, "sent"));

const receivedPartsStatement = (ctx: AppContext, importId: string | SQLWrapper) =>
  ctx.db
    .select({ partNo: alumniStaged.partNo, hash: alumniStaged.hash })
    .from(alumniStaged)
    .where(isSentPart(importId))
    .orderBy(alumniStaged.partNo);

/** Another person's import is reported as missing. */
async function requireOwnImport(ctx: AppContext, importId: string): Promise<ImportStagingRow> {
  const [staging] = await ctx.db
    .select()
    .from(alumniStaging)
    .where(and(eq(alumniStaging.id, importId), eq(alumniStaging.userId, requireSignedIn(ctx).userId), isInParts));
  if (!staging) throw importNotFound();
  return staging;
}

async function requireUncommitted(ctx: AppContext, importId: string): Promise<ImportStagingRow> {
  const staging = await requireOwnImport(ctx, importId);
  if (staging.committedDate) throw new AppError("CONFLICT", { message: "이미 가져온 파일입니다." });
  return staging;
}

/** Stores a part; a repeated part replaces the first, so that retries are safe. Needs Alumni_Import. */
export async function putImportPart(
  ctx: AppContext,
  importId: string,
  partNo: number,
  part: ImportPart,
): Promise<{ partNo: number; hash: string }> {
  authorize(ctx, { action: "Alumni_Import" });
  const staging = await requireUncommitted(ctx, importId);
  if (partNo > staging.parts) throw invalidInput({ partNo: `이 파일은 ${staging.parts}부분으로 되어 있습니다.` });
  const rows = JSON.stringify(part.rows);
  const hash = rowsHash(rows);
  const row = { importId, kind: "sent" as const, planNo: 0, partNo, rows, hash };
  await changeSentParts(ctx, importId, [
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

async function changeSentParts(ctx: AppContext, importId: string, statements: BatchItem<"sqlite">[]): Promise<void> {
  const isOpen = sql`EXISTS (SELECT 1 FROM alumni_staging WHERE id = ${importId} AND committed_date IS NULL)`;
  try {
    await ctx.db.batch([
      abortBatchUnless(ctx, isOpen),
      ...statements,
      // Invalidates any plan that was made from the earlier rows.
      ctx.db
        .update(alumniStaging)
        .set({ planNo: sql`${alumniStaging.planNo} + 1`, plannedRevision: null, touchedDate: ctx.now() })
        .where(eq(alumniStaging.id, importId)),
    ]);
  } catch (error) {
    throw isBatchAborted(error) ? importNotFound() : error;
  }
}

const rowsHash = (rows: string) => createHash("sha256").update(rows).digest("hex");

/** Dry run that compares the sent rows with the book. Needs Alumni_Import. */
export async function previewReceivedImport(
  ctx: AppContext,
  importId: string,
  { mode, forms, people, ...options }: Parsed<typeof previewImportInput>,
): Promise<ImportResult> {
  authorize(ctx, { action: "Alumni_Import" });
  const staging = await requireUncommitted(ctx, importId);
  const { userId } = requireSignedIn(ctx);
  await requireLimitRoom(ctx, ["importLookRowsDay", userId]);
  const missing = staging.parts - (await receivedPartsStatement(ctx, importId)).length;
  if (missing > 0)
    throw new AppError("CONFLICT", { message: `아직 다 보내지 않았습니다. ${missing}부분이 남았습니다.` });
  await rememberAnswers(ctx, staging.head, { forms, people });
  const plan = await previewImport(
    ctx,
    importId,
    { head: staging.head, rows: readSentRows(ctx, importId), isOneBatch: false },
    mode,
    options,
  );
  await chargeLimit(ctx, ["importLookRowsDay", userId, Math.max(plan.summary.total, 1)]);
  auditPreview(ctx, plan);
  return { ...importResultOf(plan, false, true), errorFileUrl: await storeRefusedRows(ctx, staging.head, plan) };
}

async function* readSentRows(ctx: AppContext, importId: string): AsyncGenerator<RawRow> {
  for (let partNo = 1; ; partNo++) {
    // Records progress in the same batch that reads the next part.
    const [, [part]] = await ctx.db.batch([
      ctx.db
        .update(alumniStaging)
        .set({ plannedParts: partNo - 1 })
        .where(eq(alumniStaging.id, importId)),
      ctx.db
        .select({ rows: alumniStaged.rows })
        .from(alumniStaged)
        .where(and(isSentPart(importId), eq(alumniStaged.planNo, 0), eq(alumniStaged.partNo, partNo))),
    ]);
    if (!part) return;
    for (const [row, cells] of JSON.parse(part.rows) as ImportPart["rows"]) yield { row, cells };
  }
}

/**
 * Commits one part a call; `left` counts the rest. Refused when a changed book would alter the result. Needs
 * Alumni_Import.
 */
export async function commitReceivedImport(
  ctx: AppContext,
  importId: string,
  { skipInvalid }: { skipInvalid: boolean },
): Promise<ImportResult> {
  authorize(ctx, { action: "Alumni_Import" });
  const staging = await requireOwnImport(ctx, importId);
  if (staging.committedDate) {
    const plan = { importId, planNo: staging.planNo };
    const [before] = await remainingPartsStatement(ctx, plan);
    if (before && before.count > 0) await commitNextPart(ctx, plan, staging.committedDate);
    return committedResult(ctx, staging);
  }
  const { head, fileId, fileName, summary } = staging;
  if (!summary || staging.plannedRevision === null)
    throw new AppError("CONFLICT", { message: "먼저 미리보기로 무엇이 바뀌는지 확인해 주십시오." });
  if (!hasRowsToCommit(summary, skipInvalid))
    return { ...(await committedResult(ctx, staging)), inserted: 0, updated: 0, applied: false, left: 0 };
  let planNo = staging.planNo;
  const imported = { importId, fileId, fileName, summary, form: choiceForm(ctx, head), inSteps: true };
  if (!(await commitImport(ctx, { ...imported, planNo }))) {
    const meanwhile = await requireOwnImport(ctx, importId);
    if (meanwhile.committedDate) return committedResult(ctx, meanwhile);
    const plan = await previewImport(
      ctx,
      importId,
      { head, rows: readSentRows(ctx, importId), isOneBatch: false },
      summary.mode,
      summary.options,
    );
    planNo = plan.planNo;
    const isSame = JSON.stringify(plan.summary) === JSON.stringify(summary);
    if (!isSame || !(await commitImport(ctx, { ...imported, planNo })))
      throw new AppError("CONFLICT", {
        message: "그사이 주소록이 바뀌었습니다. 다시 미리보기로 확인한 뒤 가져와 주십시오.",
      });
  }
  return committedResult(ctx, { ...staging, planNo });
}

/** The committed result, without the rows of the dry run. @throws AppError CONFLICT after an undo */
async function committedResult(ctx: AppContext, { id, head, planNo, summary }: ImportStagingRow) {
  const [[left], [written]] = await ctx.db.batch([
    remainingPartsStatement(ctx, { importId: id, planNo }),
    ctx.db
      .select({
        updated: alumniImport.updated,
        undoStartedDate: alumniImport.undoStartedDate,
        there: sql<number>`(SELECT count(*) FROM alumni WHERE alumni.import_id = alumni_import.id AND deleted_date IS NULL)`,
      })
      .from(alumniImport)
      .where(eq(alumniImport.id, id)),
  ]);
  if (written?.undoStartedDate)
    throw new AppError("CONFLICT", {
      message: `되돌린 가져오기입니다. 이 파일로 추가한 사람은 지금 주소록에 ${formatCount(written.there)}명 있습니다.`,
    });
  const known = summary ?? { mode: "upsert" as const, total: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const updated = written?.updated ?? known.updated;
  const plan = {
    importId: id,
    planNo,
    summary: { ...known, updated },
    problems: [],
    preview: [],
    warnings: [],
    notes: [],
    facts: NO_IMPORT_FACTS,
  };
  const isDone = !left || left.count === 0;
  return {
    ...importResultOf(plan, true, false),
    kept: known.updated - updated,
    left: left?.count ?? 0,
    errorFileUrl: isDone ? await storeRefusedRows(ctx, head, plan) : null,
  };
}

export async function discardImport(ctx: AppContext, importId: string): Promise<{ importId: string }> {
  authorize(ctx, { action: "Alumni_Import" });
  await requireUncommitted(ctx, importId);
  await discardImportStaging(ctx, importId);
  return { importId };
}

/**
 * Corrects cells of a sent file. Needs Alumni_Import. @throws AppError INVALID_INPUT for an unknown cell; then nothing
 * changes
 */
export async function correctImportCells(
  ctx: AppContext,
  importId: string,
  { cells }: Parsed<typeof correctCellsInput>,
): Promise<{ corrected: number }> {
  authorize(ctx, { action: "Alumni_Import" });
  const staging = await requireUncommitted(ctx, importId);
  const { texts, columns } = staging.head;
  const byRow = new Map<number, [at: number, value: string][]>();
  for (const [index, { row, column, value }] of cells.entries()) {
    const at = findColumnIndex(texts, columns, column, ownFields(ctx));
    if (at < 0) throw invalidInput({ [`cells.${index}.column`]: "파일에 없는 열입니다." });
    byRow.set(row, [...(byRow.get(row) ?? []), [at, value]]);
  }
  const wanted = JSON.stringify([...byRow.keys()]);
  const parts = await ctx.db
    .select({ partNo: alumniStaged.partNo, rows: alumniStaged.rows })
    .from(alumniStaged)
    .where(
      and(
        isSentPart(importId),
        sql`EXISTS (SELECT 1 FROM json_each(${alumniStaged.rows}) r
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
      .update(alumniStaged)
      .set({ rows, hash: rowsHash(rows) })
      .where(and(isSentPart(importId), eq(alumniStaged.partNo, part.partNo)));
  });
  if (found < byRow.size) throw invalidInput({ cells: "파일에 없는 행입니다." });
  await changeSentParts(ctx, importId, updates);
  return { corrected: cells.length };
}
