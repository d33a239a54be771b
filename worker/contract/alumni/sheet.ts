import type { SheetWorkbook, SheetCell, SheetReader } from "./sheet-reader.ts";
import { type RawRow, type StoredCell, unsupportedFileError, tooLargeFileError, unreadableFileError } from "./csv.ts";
import { CellFormats, type ReadCell } from "./shown-cells.ts";
import {
  type CellRange,
  NO_RESULT,
  OTHER_ROWS_MAX,
  type RowLimit,
  SHEET_COLUMNS_MAX,
  SHEETS_MAX,
  type SheetContent,
} from "./sheet-content.ts";
import { checkOldWorkbook } from "./xls-check.ts";

interface CellContext {
  formats: CellFormats;
  /** Decodes the single-byte texts of workbooks before Excel 97. */
  decode: (text: string) => string;
}

/** SheetJS omits the format of the first cell with a locale-dependent format. */
const formatOf = ({ z, w = "" }: SheetCell): string =>
  typeof z === "string" ? z : /^\d+\/\d+\/\d+$/.test(w) ? "m/d/yy" : w.includes(":") ? "h:mm:ss" : "General";

function readCell({ formats, decode }: CellContext, cell: SheetCell | undefined): ReadCell {
  if (!cell) return { text: "" };
  const { t, v, w } = cell;
  if (cell.f !== undefined && v === undefined) return { text: NO_RESULT };
  // SheetJS puts the formula in place of the error's name.
  if (t === "e") return { text: typeof v === "string" ? NO_RESULT : w || "#VALUE!" };
  if (typeof v === "number") return formats.number(formatOf(cell), v);
  if (typeof v === "boolean") return { text: v ? "TRUE" : "FALSE" };
  return { text: v === undefined || v === null ? "" : formats.text(formatOf(cell), decode(String(v))) };
}

/** An OLE file is an old xls or a password-protected xlsx. */
export const isOleFile = (bytes: Uint8Array) => [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);

function readWorkbook(reader: SheetReader, bytes: Uint8Array): SheetWorkbook {
  const options = {
    type: "array",
    dense: true,
    cellNF: true,
    cellHTML: false,
    // SheetJS reports hidden rows and columns only with styles.
    cellStyles: true,
  };
  try {
    return reader.read(bytes, options);
  } catch (error) {
    if (/password|encrypt/i.test(String(error)))
      throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
    throw unsupportedFileError("엑셀 파일로 읽을 수 없습니다. 손상되었거나 다른 형식의 파일입니다.");
  }
}

function readRow(context: CellContext, row: number, line: (SheetCell | undefined)[]): RawRow {
  const texts: string[] = [];
  const stored: StoredCell[] = [];
  for (const at of Object.keys(line)) {
    const column = Number(at);
    const cell = readCell(context, line[column]);
    if (cell.text === "") continue;
    if (column >= SHEET_COLUMNS_MAX)
      throw tooLargeFileError(`열이 너무 많습니다(${column + 1}열). 필요한 열만 남겨 주십시오.`);
    texts[column] = cell.text;
    if (cell.stored) stored.push({ column, ...cell.stored });
  }
  const cells = Array.from(texts, (text: string | undefined) => text ?? "");
  return stored.length > 0 ? { row, cells, stored } : { row, cells };
}

/** SheetJS decodes Korean texts before Excel 97 as single bytes. */
function decodeKoreanBytes(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder("euc-kr", { fatal: true }).decode(
      Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0),
    );
  } catch {
    return text;
  }
}

const indexesOf = (list: readonly ({ hidden?: boolean } | null | undefined)[] | undefined): number[] => {
  const found: number[] = [];
  for (const at of Object.keys(list ?? [])) if (list?.[Number(at)]?.hidden) found.push(Number(at));
  return found;
};

/**
 * Reads sheets with text, including hidden ones; formulas give their saved value. @throws AppError UNSUPPORTED_FILE,
 * PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export function readSheets(reader: SheetReader, bytes: Uint8Array, limit: RowLimit): SheetContent[] {
  const isOld = isOleFile(bytes) && checkOldWorkbook(reader, bytes) === "before 1997";
  const workbook = readWorkbook(reader, bytes);
  const context: CellContext = {
    formats: new CellFormats(reader, Boolean(workbook.Workbook?.WBProps?.date1904)),
    decode: isOld ? decodeKoreanBytes : (text) => text,
  };
  const saved = workbook.Props?.ModifiedDate;
  const savedDate = saved instanceof Date && Number.isFinite(saved.getTime()) ? saved.toISOString() : null;
  const sheets: SheetContent[] = [];
  for (const [at, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name];
    const rows: SheetContent["rows"] = [];
    for (const [index, line] of (sheet?.["!data"] ?? []).entries()) {
      if (!line) continue;
      const row = readRow(context, index + 1, line);
      if (row.cells.length > 0) rows.push(row);
    }
    if (rows.length > limit.rows + OTHER_ROWS_MAX) throw tooLargeFileError(limit.message);
    if (!sheet || rows.length === 0) continue;
    if (sheets.length === SHEETS_MAX)
      throw tooLargeFileError(`시트가 너무 많습니다. 한 파일에서 ${SHEETS_MAX}개까지 읽을 수 있습니다.`);
    const merges: CellRange[] = (sheet["!merges"] ?? []).map(({ s, e }) => ({
      top: s.r + 1,
      bottom: e.r + 1,
      left: s.c,
      right: Math.min(e.c, SHEET_COLUMNS_MAX),
    }));
    sheets.push({
      name: context.decode(name),
      isHidden: Boolean(workbook.Workbook?.Sheets?.[at]?.Hidden),
      rows,
      merges,
      hiddenRows: indexesOf(sheet["!rows"]).map((row) => row + 1),
      hiddenColumns: indexesOf(sheet["!cols"]),
      ...(savedDate ? { savedDate } : {}),
    });
  }
  if (sheets.length > 0 && sheets.every(({ isHidden }) => isHidden))
    throw unreadableFileError("보이는 시트가 없습니다. 숨긴 시트를 다시 보이게 하여 올려 주십시오.");
  return sheets;
}

/** Searches the OLE directory, whose names are UTF-16. */
export function isEncryptedPackage(bytes: Uint8Array): boolean {
  const name = Array.from("EncryptedPackage", (letter) => `${letter}\u0000`).join("");
  for (let at = 0; at < bytes.length; at += 60_000) {
    if (new TextDecoder("latin1").decode(bytes.subarray(at, at + 60_100)).includes(name)) return true;
  }
  return false;
}
