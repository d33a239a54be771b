import type { UploadTicket } from "#worker/contract/file/view.ts";
import { findIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { NO_IMPORT_FACTS, type PreviewedImport } from "./facts.server.ts";
import { alumniSettings, ownFields } from "../setting.server.ts";
import { and, eq } from "drizzle-orm";
import type { ImportSummary } from "#db/schema/alumni-import.ts";
import { file } from "#db/schema/file.ts";
import { readSpreadsheet } from "#worker/adapters/spreadsheet/read.server.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { importAlumniInput } from "#worker/contract/alumni/input.ts";
import { type ImportHeader, rowLabel } from "#worker/contract/alumni/import/header.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { authorize, requireSignedIn } from "../../kernel/authorize.server.ts";
import { inSiteWords } from "../../kernel/site-identity.server.ts";
import { audit, auditLook } from "../../kernel/audit-entry.server.ts";
import { issueUploadUrl } from "../../file/upload.server.ts";
import { chargeLimit, requireLimitRoom } from "../../kernel/limit.server.ts";
import { commitImport } from "./commit.server.ts";
import { choiceForm } from "./memory.server.ts";
import { previewImport } from "./preview.server.ts";
import { type ImportSource, importSourceOf } from "./source.server.ts";
import { discardImportStaging, openImportStaging, readRefusedRows } from "./staging.server.ts";
import { sheetReadyStatement, storeSheet } from "../export.server.ts";

export async function issueImportUploadUrl(
  ctx: AppContext,
  input: { fileName: string; size: number },
): Promise<UploadTicket> {
  authorize(ctx, { action: "Alumni_Import" });
  const extension = extensionOf(input.fileName);
  if (!["xlsx", "xls", "csv"].includes(extension)) {
    throw new AppError("UNSUPPORTED_FILE", { message: "xlsx, xls, csv 파일만 가져올 수 있습니다." });
  }
  const max = extension === "csv" ? ALUMNI_LIMITS.importBytes : ALUMNI_LIMITS.workbookBytes;
  if (input.size > max) {
    const hint = extension === "csv" ? "" : " 더 큰 파일은 주소록 가져오기 화면에서 올리거나 CSV로 저장해 주십시오.";
    const message = `파일이 너무 큽니다. ${extension} 파일은 ${formatBytes(max)}까지 보낼 수 있습니다.${hint}`;
    throw new AppError("PAYLOAD_TOO_LARGE", { message });
  }
  return issueUploadUrl(ctx, input, "alumni-import", null);
}

const ATTEMPTS_MAX = 3;

/** Imports an uploaded file: all valid rows or none. A change of the book meanwhile triggers a new plan. */
export async function importAlumni(ctx: AppContext, input: Parsed<typeof importAlumniInput>): Promise<ImportResult> {
  authorize(ctx, { action: "Alumni_Import" });
  await requireLimitRoom(ctx, ["importLookRowsDay", requireSignedIn(ctx).userId]);
  const failed = (detail: Record<string, unknown>) =>
    ctx.defer(audit(ctx, { action: "alumni.importFailed", targetType: "file", targetId: input.fileId, detail }).run());
  try {
    const done = await previewAndCommit(ctx, input);
    if (!input.dryRun && !done.applied && done.rejected > 0) failed({ rejected: done.rejected, total: done.total });
    return done;
  } catch (error) {
    if (!input.dryRun) failed({ code: error instanceof AppError ? error.code : "INTERNAL_ERROR" });
    throw error;
  }
}

async function previewAndCommit(ctx: AppContext, input: Parsed<typeof importAlumniInput>): Promise<ImportResult> {
  const { fileName, bytes } = await readUploadedFile(ctx, input.fileId);
  const read = async (): Promise<ImportSource> =>
    importSourceOf(
      await readSpreadsheet(fileName, bytes, input.sheet),
      input.mapping,
      alumniSettings(ctx),
      ownFields(ctx),
      input.headRow,
    );
  const source = await read();
  const from = { fileId: input.fileId, fileName };
  const { importId, head } = await openImportStaging(ctx, { ...from, head: source.head, parts: 0 });
  let isCommitted = false;
  try {
    for (let attempt = 1; ; attempt++) {
      const plan = await previewImport(ctx, importId, attempt === 1 ? source : await read(), input.mode, {
        confirmed: input.confirmed,
        emptied: input.emptied,
        decisions: input.decisions,
        ended: input.ended,
        missing: input.missing,
      });
      const { summary } = plan;
      await chargeLimit(ctx, ["importLookRowsDay", requireSignedIn(ctx).userId, Math.max(summary.total, 1)]);
      if (!input.dryRun && hasRowsToCommit(summary, input.skipInvalid)) {
        isCommitted = await commitImport(ctx, {
          ...from,
          importId,
          planNo: plan.planNo,
          summary,
          form: choiceForm(ctx, head),
          answer: importedAgain(plan),
        });
        const sooner = isCommitted ? null : await findIdempotentAnswer<ImportResult>(ctx);
        if (sooner) return sooner;
        if (!isCommitted && attempt < ATTEMPTS_MAX) continue;
        if (!isCommitted) throw alumniChangedMeanwhile();
      }
      if (!isCommitted) auditPreview(ctx, plan);
      return {
        ...importResultOf(plan, isCommitted, input.dryRun),
        errorFileUrl: await storeRefusedRows(ctx, head, plan),
      };
    }
  } finally {
    // The clean-up of unfinished imports repeats a failed deletion.
    await discardImportStaging(ctx, importId).catch(() => undefined);
  }
}

const alumniChangedMeanwhile = () =>
  new AppError("CONFLICT", { message: "그사이 주소록이 여러 번 바뀌었습니다. 잠시 후 다시 시도해 주십시오." });

/** Answer to a repeat of the same call, without personal rows. */
const importedAgain = (plan: PreviewedImport): ImportResult => ({
  ...importResultOf({ ...plan, problems: [], preview: [], warnings: [], facts: NO_IMPORT_FACTS }, true, false),
  errorFileUrl: null,
});

export const hasRowsToCommit = ({ inserted, updated, rejected }: ImportSummary, skipInvalid: boolean) =>
  inserted + updated > 0 && (skipInvalid || rejected === 0);

async function readUploadedFile(ctx: AppContext, fileId: string) {
  const [row] = await ctx.db
    .select()
    .from(file)
    .where(
      and(eq(file.id, fileId), eq(file.purpose, "alumni-import"), eq(file.ownerUserId, requireSignedIn(ctx).userId)),
    );
  const object = row && row.status !== "pending" ? await ctx.files.get(row.storageKey) : null;
  if (!row || !object) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다. 다시 올려 주십시오." });
  return { fileName: row.fileName, bytes: new Uint8Array(await object.arrayBuffer()) };
}

export type ImportResult = ReturnType<typeof importResultOf> & { errorFileUrl: string | null };

export const auditPreview = (ctx: AppContext, { importId, quoted }: PreviewedImport) =>
  auditLook(ctx, { action: "alumni.preview", targetType: "alumniImport", targetId: importId }, quoted);

export function importResultOf(plan: Omit<PreviewedImport, "quoted">, applied: boolean, isDryRun: boolean) {
  const { total, inserted, updated, unchanged, rejected } = plan.summary;
  const counted = applied || isDryRun;
  return {
    importId: plan.importId,
    total,
    inserted: counted ? inserted : 0,
    updated: counted ? updated : 0,
    unchanged,
    rejected,
    errors: plan.problems,
    applied,
    preview: plan.preview,
    warnings: plan.warnings,
    /** Adjustments made to find people: titles, subtotals, merged and hidden cells, unused columns. */
    notes: plan.notes,
    /** People who were changed or deleted during the commit, and skipped. */
    kept: 0,
    /** The number of further calls until the import is complete. */
    left: 0,
    ...plan.facts,
  };
}

export async function storeRefusedRows(
  ctx: AppContext,
  head: ImportHeader,
  plan: Pick<PreviewedImport, "importId" | "planNo" | "summary">,
) {
  if (plan.summary.rejected === 0) return null;
  const width = (text: string) => Math.min(Math.max(text.length * 2, 10), 40);
  const columns = [
    ...head.texts.map((header) => ({ header, width: width(header) })),
    { header: "행", width: 8 },
    { header: "사유", width: 60 },
  ];
  const rows = async function* () {
    for await (const [row, cells, reasons] of readRefusedRows(ctx, plan.importId, plan.planNo))
      yield [...cells, head.sources ? rowLabel(head.sources, row) : row, reasons];
  };
  const stored = await storeSheet(ctx, {
    fileName: inSiteWords(ctx, "{동문주소록}_오류행.xlsx"),
    format: "xlsx",
    columns,
    rows: rows(),
  });
  await sheetReadyStatement(ctx, stored);
  return stored.url;
}
