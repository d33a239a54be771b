import type { SheetWorkbook, SheetCell, SheetReader } from "./sheet-reader.ts";
import { type RawRow, unsupportedFileError, tooLargeFileError, unreadableFileError } from "./csv.ts";
import { checkOldWorkbook } from "./xls-check.ts";

export interface SheetContent {
  sheetNames: string[];
  rows: RawRow[];
  /** Rows (from 1) that a merged area touches. */
  mergedRows: number[];
}

export interface RowLimit {
  rows: number;
  /** What is said to a person whose file has more. */
  message: string;
}

/** Titles above the head and the head itself come on top of the rows. */
const TITLE_ROWS = 20;

const DAYS_1904 = 1462;

const DAY_MS = 86_400_000;

/** The last day that Excel knows, 9999-12-31. */
const LAST_DAY = 2_958_465;

/** More than any book of people has; what stands behind it would be read as so many empty cells. */
const COLUMNS_MAX = 1000;

const isoDay = (serial: number) => new Date(Math.round((serial - 25_569) * DAY_MS)).toISOString().slice(0, 10);

function readCellText(reader: SheetReader, cell: SheetCell | undefined, shift: number): string {
  if (!cell) return "";
  if (cell.f !== undefined && cell.v === undefined) return "#VALUE!";
  if (cell.t === "e") return cell.w || "#VALUE!";
  if (typeof cell.v !== "number") return cell.v === undefined || cell.v === null ? "" : String(cell.v);
  const format = typeof cell.z === "string" ? cell.z : "General";
  if (reader.SSF.is_date(format) && Math.abs(cell.v + shift) <= LAST_DAY) return isoDay(cell.v + shift);
  // A format such as 00000 or 000-0000-0000 shows what the person typed.
  if (format !== "General" && cell.w && /^[\d\s()-]+$/.test(cell.w)) return cell.w.trim();
  return String(cell.v);
}

/** The start of an OLE file: an old xls, or an xlsx that a password locks. */
export const isOleFile = (bytes: Uint8Array) => [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);

function readWorkbook(reader: SheetReader, bytes: Uint8Array): SheetWorkbook {
  const options = {
    type: "array",
    dense: true,
    cellNF: true,
    cellHTML: false,
    cellStyles: false,
  };
  if (isOleFile(bytes)) checkOldWorkbook(reader, bytes);
  try {
    return reader.read(bytes, options);
  } catch (error) {
    if (/password|encrypt/i.test(String(error)))
      throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
    throw unsupportedFileError("엑셀 파일로 읽을 수 없습니다. 손상되었거나 다른 형식의 파일입니다.");
  }
}

/** The texts of a row to its last one; the reader leaves holes where nothing stands. */
function readRowTexts(reader: SheetReader, line: (SheetCell | undefined)[], shift: number): string[] {
  const texts: string[] = [];
  for (const at of Object.keys(line)) {
    const text = readCellText(reader, line[Number(at)], shift);
    if (text === "") continue;
    if (Number(at) >= COLUMNS_MAX)
      throw tooLargeFileError(`열이 너무 많습니다(${Number(at) + 1}열). 필요한 열만 남겨 주십시오.`);
    texts[Number(at)] = text;
  }
  return Array.from(texts, (text: string | undefined) => text ?? "");
}

/**
 * The rows of one sheet, the first visible one with content unless named. Formulas give the value they were saved with.
 * @throws AppError UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export function readSheet(reader: SheetReader, bytes: Uint8Array, limit: RowLimit, wanted?: string): SheetContent {
  const settings = readWorkbook(reader, bytes);
  const shown = settings.SheetNames.filter((_, at) => !settings.Workbook?.Sheets?.[at]?.Hidden);
  const hasContent = (name: string) => (settings.Sheets[name]?.["!data"] ?? []).some((row) => row?.length > 0);
  const name = wanted && shown.includes(wanted) ? wanted : (shown.find(hasContent) ?? shown[0]);
  const sheet = name === undefined ? undefined : settings.Sheets[name];
  if (!sheet) throw unreadableFileError("보이는 시트가 없습니다. 숨긴 시트를 다시 보이게 하여 올려 주십시오.");
  const shift = settings.Workbook?.WBProps?.date1904 ? DAYS_1904 : 0;
  const rows: RawRow[] = [];
  for (const [at, line] of (sheet["!data"] ?? []).entries()) {
    if (!line) continue;
    const cells = readRowTexts(reader, line, shift);
    if (cells.length > 0) rows.push({ row: at + 1, cells });
  }
  if (rows.length > limit.rows + TITLE_ROWS) throw tooLargeFileError(limit.message);
  const merges = sheet["!merges"] ?? [];
  return { sheetNames: shown, rows, mergedRows: merges.flatMap(({ s, e }) => [s.r + 1, e.r + 1]) };
}

/** Does the OLE file say that it holds an encrypted package? Its directory names are UTF-16. */
export function isEncryptedPackage(bytes: Uint8Array): boolean {
  const name = Array.from("EncryptedPackage", (letter) => `${letter}\u0000`).join("");
  for (let at = 0; at < bytes.length; at += 60_000) {
    if (new TextDecoder("latin1").decode(bytes.subarray(at, at + 60_100)).includes(name)) return true;
  }
  return false;
}
