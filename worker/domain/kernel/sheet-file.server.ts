import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { dayStamp } from "#worker/contract/kernel/korea.ts";

export interface Download {
  fileName: string;
  contentType: string;
  body: Blob;
}

type Cell = string | number;

const columnsOf = (header: readonly string[]) => header.map((title) => ({ header: title, width: 18 }));

/** UTF-8 with the mark that Excel needs for Korean; a cell that a spreadsheet would run as a formula is quoted with `'`. */
export async function csv(
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Download> {
  return {
    fileName: `${name}_${dayStamp(now)}.csv`,
    contentType: "text/csv; charset=utf-8",
    body: await writeCsv(columnsOf(header), rows),
  };
}

/** As the one or the other, as it was asked for. */
export const sheetFile = (format: "csv" | "xlsx", ...file: Parameters<typeof csv>): Promise<Download> =>
  (format === "xlsx" ? workbook : csv)(...file);

/** The same rows as a workbook; every cell is text, so that nothing in it runs. */
export async function workbook(
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Download> {
  return {
    fileName: `${name}_${dayStamp(now)}.xlsx`,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    body: await writeXlsx(name, columnsOf(header), rows),
  };
}
