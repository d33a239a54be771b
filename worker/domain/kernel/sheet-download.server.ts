import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";

export interface SheetDownload {
  fileName: string;
  contentType: string;
  body: Blob;
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
