import { file } from "#db/schema.ts";
import { type SheetColumn, type SheetRows, writeCsv, writeXlsx } from "#worker/adapters/spreadsheet-write.server.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import { COLUMN_LABELS, type FileColumn, FILE_COLUMNS, MAX_LENGTHS } from "#worker/contract/alumni-columns.ts";
import { AppError } from "#worker/contract/errors.ts";
import { DAY_MS } from "#worker/contract/limits.ts";
import { signedIn } from "../access.server.ts";
import { type FileToServe, fileToServe } from "../file/read.server.ts";
import { newFile } from "../file/upload.server.ts";

export const SHEET_NAME = "동문주소록";
const ID_WIDTH = 38;

export function sheetColumns(fields: readonly FileColumn[] = FILE_COLUMNS): SheetColumn[] {
  return fields.map((field) => ({
    header: COLUMN_LABELS[field],
    width: field === "id" ? ID_WIDTH : Math.min(Math.max(MAX_LENGTHS[field] * 0.4, 8), 40),
  }));
}

/** 20261121, as the day is in Korea. */
export function dayStamp(now: Date): string {
  return new Date(now.getTime() + 9 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
}

export interface NewSheet {
  fileName: string;
  format: "xlsx" | "csv";
  columns: readonly SheetColumn[];
  rows: SheetRows;
}

/**
 * Writes a sheet into R2 for a day. The row stands as `pending` before the bytes come, so that the sweep finds what a
 * cut-off leaves; `ready` belongs in the caller's batch.
 */
export async function storeSheet(ctx: AppContext, { fileName, format, columns, rows }: NewSheet) {
  const blob = await (format === "csv" ? writeCsv(columns, rows) : writeXlsx(SHEET_NAME, columns, rows));
  const row = newFile(ctx, { fileName, size: blob.size }, "alumni-export", null);
  await ctx.db.insert(file).values({ ...row, status: "pending" });
  await ctx.files.put(row.storageKey, blob, { httpMetadata: { contentType: row.contentType } });
  return { fileId: row.id, url: signedUrl(ctx, row.id) };
}

function signedUrl(ctx: AppContext, fileId: string): string {
  const ticket = ctx.tokens.sign("alumni-file", `${fileId}~${ctx.now().getTime() + DAY_MS}`);
  return `/api/alumni/export-data/${ticket}`;
}

/** A signed link and the permission are both needed. @throws AppError NOT_FOUND */
export async function sheetToServe(door: Door, ticket: string): Promise<FileToServe> {
  const ctx = await door.context();
  signedIn(ctx);
  const [fileId, expires] = ctx.tokens.unsign("alumni-file", ticket)?.split("~") ?? [];
  if (!fileId || Number(expires) <= ctx.now().getTime())
    throw new AppError("NOT_FOUND", { message: "내려받을 수 있는 기간이 지났습니다. 다시 내보내 주십시오." });
  return fileToServe(door, fileId);
}
