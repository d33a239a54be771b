import "#app/lib/floor.js";
import {
  SHEET_COLUMNS,
  SHEET_ROWS,
  SHEETS_SHOWN,
  type SheetAnswer,
  type ShownSheet,
} from "#app/features/file/preview/sheet-protocol.ts";

async function readSheets(bytes: ArrayBuffer): Promise<ShownSheet[]> {
  const { read, utils } = await import("@e965/xlsx");
  const book = read(bytes, { type: "array", sheetRows: SHEET_ROWS + 1, cellFormula: false, cellHTML: false });
  return book.SheetNames.slice(0, SHEETS_SHOWN).flatMap((name) => {
    const sheet = book.Sheets[name];
    if (!sheet) return [];
    const all = utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: false, defval: "", blankrows: false });
    const width = Math.max(0, ...all.map((row) => row.findLastIndex((cell) => cell !== "") + 1));
    const columns = Math.min(width, SHEET_COLUMNS);
    const rows = all
      .slice(0, SHEET_ROWS)
      .map((row) => Array.from({ length: columns }, (_each, at) => String(row[at] ?? "")));
    return [{ name, rows, isCut: all.length > SHEET_ROWS || width > SHEET_COLUMNS }];
  });
}

addEventListener("message", ({ data }: MessageEvent<{ bytes: ArrayBuffer }>) => {
  readSheets(data.bytes).then(
    (sheets) => postMessage({ sheets } satisfies SheetAnswer),
    () => postMessage({ problem: true } satisfies SheetAnswer),
  );
});
