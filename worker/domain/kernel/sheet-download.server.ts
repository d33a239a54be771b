import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";

export interface SheetDownload {
  fileName: string;
  contentType: string;
  body: Blob;
}

type DownloadCell = string | number;

const sheetColumnsOf = (header: readonly string[]) => header.map((title) => ({ header: title, width: 18 }));

/** UTF-8 with the mark that Excel needs for Korean; a cell that a spreadsheet would run as a formula is quoted with `'`. */
export async function csvDownload(
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly DownloadCell[])[],
): Promise<SheetDownload> {
  return {
    fileName: `${name}_${koreanDayStamp(now)}.csv`,
    contentType: "text/csv; charset=utf-8",
    body: await writeCsv(sheetColumnsOf(header), rows),
  };
}

/** As the one or the other, as it was asked for. */
export const sheetDownload = (
  format: "csv" | "xlsx",
  ...file: Parameters<typeof csvDownload>
): Promise<SheetDownload> => (format === "xlsx" ? workbookDownload : csvDownload)(...file);

/** The same rows as a workbook; every cell is text, so that nothing in it runs. */
export async function workbookDownload(
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly DownloadCell[])[],
): Promise<SheetDownload> {
  return {
    fileName: `${name}_${koreanDayStamp(now)}.xlsx`,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    body: await writeXlsx(name, sheetColumnsOf(header), rows),
  };
}
