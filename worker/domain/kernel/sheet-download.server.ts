import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "./context.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";

export interface SheetDownload {
  fileName: string;
  contentType: string;
  body: Blob;
}

/** The rows of a sheet while somebody waits for it: what a client broke off ends with the next row. @throws AppError CONFLICT */
export async function* rowsWhileAwaited<T>(ctx: AppContext, rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  for await (const row of rows) {
    if (ctx.client.isGone()) throw new AppError("CONFLICT", { message: "요청이 취소되어 파일을 만들지 않았습니다." });
    yield row;
  }
}

const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

type DownloadCell = string | number;

const sheetColumnsOf = (header: readonly string[]) => header.map((title) => ({ header: title, width: 18 }));

/**
 * As the one or the other, as it was asked for. csv is UTF-8 with the mark that Excel needs for Korean, and a cell that a
 * spreadsheet would run as a formula is quoted with `'`; in a workbook every cell is text, so that nothing in it runs.
 */
export async function sheetDownload(
  format: "csv" | "xlsx",
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly DownloadCell[])[],
): Promise<SheetDownload> {
  const columns = sheetColumnsOf(header);
  const isWorkbook = format === "xlsx";
  return {
    fileName: `${name}_${koreanDayStamp(now)}.${format}`,
    contentType: isWorkbook ? WORKBOOK_TYPE : "text/csv; charset=utf-8",
    body: await (isWorkbook ? writeXlsx(name, columns, rows) : writeCsv(columns, rows)),
  };
}
