import { alumniSettings } from "./alumni-settings.server.ts";
import { eq } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import {
  csvPieces,
  type SheetColumn,
  type SheetRowSource,
  xlsxPieces,
} from "#worker/adapters/spreadsheet/write.server.ts";
import { storeChunks } from "#worker/adapters/storage.server.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { type BookColumn, columnLabel, isOwnFieldCode, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { inOwnWords } from "../kernel/identity.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { type FileToServe, getFileToServe } from "../file/read.server.ts";
import { rowsWhileAwaited } from "../kernel/sheet-download.server.ts";
import { newFileRow } from "../file/upload.server.ts";

export const alumniSheetName = (ctx: Pick<AppContext, "storedSettings">) => inOwnWords(ctx, "{동문주소록}");
const ID_WIDTH = 38;
const OWN_WIDTH = 16;

export function alumniSheetColumns(fields: readonly BookColumn[], own: readonly OwnField[] = []): SheetColumn[] {
  const widthOf = (field: BookColumn) => {
    if (field === "id") return ID_WIDTH;
    return isOwnFieldCode(field) ? OWN_WIDTH : Math.min(Math.max(ALUMNI_MAX_LENGTHS[field] * 0.4, 8), 40);
  };
  return fields.map((field) => ({ header: columnLabel(field, own), width: widthOf(field) }));
}

interface NewSheet {
  fileName: string;
  format: "xlsx" | "csv";
  columns: readonly SheetColumn[];
  rows: SheetRowSource;
}

interface StoredSheet {
  fileId: string;
  url: string;
  size: number;
}

/**
 * Streams a sheet into R2 for a day. The `pending` row lets clean-up find partial uploads; the batch needs
 * `sheetReadyStatement`.
 */
export async function storeSheet(ctx: AppContext, { fileName, format, columns, rows }: NewSheet): Promise<StoredSheet> {
  const row = newFileRow(ctx, { fileName, size: 0 }, "alumni-export", null);
  await ctx.db.insert(file).values({ ...row, status: "pending" });
  const awaited = rowsWhileAwaited(ctx, rows);
  const pieces = format === "csv" ? csvPieces(columns, awaited) : xlsxPieces(alumniSheetName(ctx), columns, awaited);
  const size = await storeChunks(ctx.files, row.storageKey, pieces, row.contentType);
  return { fileId: row.id, url: signSheetUrl(ctx, row.id), size };
}

export const sheetReadyStatement = (ctx: AppContext, { fileId, size }: StoredSheet) =>
  ctx.db.update(file).set({ status: "ready", size }).where(eq(file.id, fileId));

function signSheetUrl(ctx: AppContext, fileId: string): string {
  const ticket = ctx.tokens.sign(
    "alumni-file",
    `${fileId}~${ctx.now().getTime() + alumniSettings(ctx).exportHours * HOUR_MS}`,
  );
  return `/api/alumni/export-data/${ticket}`;
}

/** Requires a signed link and the permission. @throws AppError NOT_FOUND */
export async function getSheetToServe(scope: RequestScope, ticket: string): Promise<FileToServe> {
  const ctx = await scope.context();
  requireSignedIn(ctx);
  const [fileId, expires] = ctx.tokens.unsign("alumni-file", ticket)?.split("~") ?? [];
  if (!fileId || Number(expires) <= ctx.now().getTime())
    throw new AppError("NOT_FOUND", { message: "내려받을 수 있는 기간이 지났습니다. 다시 내보내 주십시오." });
  return getFileToServe(scope, fileId);
}
