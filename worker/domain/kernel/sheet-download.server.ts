import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "./context.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";

export interface SheetDownload {
  fileName: string;
  contentType: string;
  body: Blob;
}

/** Stops at the next row after the client disconnects. @throws AppError CONFLICT */
export async function* rowsWhileAwaited<T>(
  ctx: Pick<AppContext, "client">,
  rows: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<T> {
  for await (const row of rows) {
    if (ctx.client.isGone()) throw new AppError("CONFLICT", { message: "요청이 취소되어 파일을 만들지 않았습니다." });
    yield row;
  }
}

function* linesOf<T>(rows: readonly T[], lineOf: (row: T) => readonly DownloadCell[]) {
  for (const row of rows) yield lineOf(row);
}

const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

type DownloadCell = string | number;

const sheetColumnsOf = (header: readonly string[]) => header.map((title) => ({ header: title, width: 18 }));

/**
 * Streams csv or a workbook. CSV has a BOM for Korean in Excel and quotes formulas with `'`; workbook cells are always
 * text.
 */
export async function sheetDownload<T>(
  ctx: Pick<AppContext, "client" | "now">,
  format: "csv" | "xlsx",
  name: string,
  header: readonly string[],
  found: readonly T[],
  lineOf: (row: T) => readonly DownloadCell[],
): Promise<SheetDownload> {
  const rows = rowsWhileAwaited(ctx, linesOf(found, lineOf));
  const columns = sheetColumnsOf(header);
  const isWorkbook = format === "xlsx";
  const body = await (isWorkbook ? writeXlsx(name, columns, rows) : writeCsv(columns, rows));
  return {
    fileName: `${name}_${koreanDayStamp(ctx.now())}.${format}`,
    contentType: isWorkbook ? WORKBOOK_TYPE : "text/csv; charset=utf-8",
    body,
  };
}
