export interface Download {
  fileName: string;
  contentType: string;
  body: string;
}

type Cell = string | number;

const KST_DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul" });

/** UTF-8 with the mark that Excel needs for Korean; a cell that a spreadsheet would run as a formula is quoted with `'`. */
export function csv(name: string, now: Date, header: readonly string[], rows: readonly (readonly Cell[])[]): Download {
  const lines = [header, ...rows].map((row) => row.map(cell).join(","));
  return {
    fileName: `${name}_${KST_DAY.format(now).replaceAll("-", "")}.csv`,
    contentType: "text/csv; charset=utf-8",
    body: `\ufeff${lines.join("\r\n")}\r\n`,
  };
}

function cell(value: Cell): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
