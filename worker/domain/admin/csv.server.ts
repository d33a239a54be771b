import { writeXlsx } from "#worker/adapters/spreadsheet-write.server.ts";
import { dayStamp } from "#worker/contract/korea.ts";

export interface Download {
  fileName: string;
  contentType: string;
  body: string | Blob;
}

type Cell = string | number;

/** UTF-8 with the mark that Excel needs for Korean; a cell that a spreadsheet would run as a formula is quoted with `'`. */
export function csv(name: string, now: Date, header: readonly string[], rows: readonly (readonly Cell[])[]): Download {
  const lines = [header, ...rows].map((row) => row.map(cell).join(","));
  return {
    fileName: `${name}_${dayStamp(now)}.csv`,
    contentType: "text/csv; charset=utf-8",
    body: `\ufeff${lines.join("\r\n")}\r\n`,
  };
}

function cell(value: Cell): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same rows as a workbook; every cell is text, so that nothing in it runs. */
export async function workbook(
  name: string,
  now: Date,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Download> {
  const columns = header.map((title) => ({ header: title, width: 18 }));
  return {
    fileName: `${name}_${dayStamp(now)}.xlsx`,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    body: await writeXlsx(name, columns, rows),
  };
}
