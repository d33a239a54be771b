import {
  OTHER_ROWS_MAX,
  type RawRow,
  type RowLimit,
  type SheetContent,
  tooLargeFileError,
  unreadableFileError,
  unsupportedFileError,
  withoutTextFormula,
} from "#worker/contract/alumni/import/sheet-content.ts";
import type { SheetReader } from "./cell-formats.ts";
import { detectEncoding, readCsv } from "./csv.ts";
import { readHtmlTables, readOpenDocument, readXmlSpreadsheet } from "./markup-sheets.ts";
import {
  checkWorkbook,
  isEncryptedPackage,
  isOleFile,
  readOpenDocumentText,
  readSheets,
  type WorkbookLimits,
} from "./workbook.ts";

const loadReader = (): Promise<SheetReader> => import("@e965/xlsx");

export interface ReadLimits extends WorkbookLimits {
  message: string;
}

/** Signatures of PDF, programs, PNG, JPEG, GIF, RAR and 7z, which may be named like a spreadsheet. */
const OTHER_KINDS = [
  [0x25, 0x50, 0x44, 0x46],
  [0x4d, 0x5a, 0x90],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x61, 0x72, 0x21],
  [0x37, 0x7a, 0xbc, 0xaf],
];

const startsWithZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

function decodeText(bytes: Uint8Array<ArrayBuffer>, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The declared charset only tells EUC-KR from UTF-8; other encodings are detected. */
function decodeMarkup(bytes: Uint8Array<ArrayBuffer>): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const named = /(?:charset|encoding)=["']?([\w-]{2,20})/i.exec(start)?.[1]?.toLowerCase();
  const detected = detectEncoding(bytes);
  if (detected !== "utf-8" && detected !== "euc-kr") return decodeText(bytes, detected);
  return decodeText(bytes, named === "euc-kr" || named === "ks_c_5601-1987" || named === "cp949" ? "euc-kr" : detected);
}

function markupKind(bytes: Uint8Array<ArrayBuffer>): "html" | "xml" | null {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isWide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "latin1";
  const start = new TextDecoder(encoding)
    .decode(bytes.subarray(0, 2048))
    .replace(/^(?:\u00ef\u00bb\u00bf|\ufeff)/, "")
    .trimStart();
  if (!start.startsWith("<")) return null;
  if (/urn:schemas-microsoft-com:office:spreadsheet/i.test(start) && /<(?:\w+:)?workbook/i.test(start)) return "xml";
  return "html";
}

function textSheet(bytes: Uint8Array<ArrayBuffer>, limit: RowLimit): SheetContent {
  const rows: RawRow[] = [];
  for (const raw of readCsv(bytes)) {
    if (raw.cells.every((cell) => cell.trim() === "")) continue;
    rows.push(raw);
    if (rows.length > limit.rows + OTHER_ROWS_MAX) throw tooLargeFileError(limit.message);
  }
  return { name: "", isHidden: false, rows, merges: [], hiddenRows: [], hiddenColumns: [] };
}

/**
 * Detects the format by bytes: xlsx, xlsm, xlsb, xls, ods, HTML, Excel 2003 XML, text. @throws AppError
 * UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readFileSheets(bytes: Uint8Array<ArrayBuffer>, limits: ReadLimits): Promise<SheetContent[]> {
  if (bytes.length === 0) throw unreadableFileError("빈 파일입니다(0바이트). 저장이 끝난 파일인지 확인해 주십시오.");
  const limit = { rows: limits.rows, message: limits.message };
  if (startsWithZip(bytes)) {
    if ((await checkWorkbook(bytes, limits)) === "ods")
      return withText(readOpenDocument(await readOpenDocumentText(bytes), limit));
    return withText(readSheets(await loadReader(), bytes, limit));
  }
  if (isOleFile(bytes)) {
    if (isEncryptedPackage(bytes))
      throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
    return withText(readSheets(await loadReader(), bytes, limit));
  }
  const kind = markupKind(bytes);
  if (kind === "xml") return withText(readXmlSpreadsheet(await loadReader(), decodeMarkup(bytes), limit));
  if (kind === "html") {
    const sheets = readHtmlTables(decodeMarkup(bytes), limit).filter(({ rows }) => rows.length > 0);
    if (sheets.length > 0) return withText(sheets);
    throw unreadableFileError("파일 안에 표가 없습니다. 엑셀에서 열어 xlsx로 다시 저장해 주십시오.");
  }
  if (OTHER_KINDS.some((mark) => mark.every((byte, at) => bytes[at] === byte)))
    throw unsupportedFileError("엑셀 파일이 아닙니다. xlsx, xls, ods, csv, txt 파일을 골라 주십시오.");
  return withText([textSheet(bytes, limit)]);
}

function withText(sheets: SheetContent[]): SheetContent[] {
  const filled = sheets.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) throw unreadableFileError("비어 있는 파일입니다.");
  for (const { rows } of filled)
    for (const { cells } of rows)
      for (const [at, cell] of cells.entries()) if (cell.startsWith("=")) cells[at] = withoutTextFormula(cell);
  return filled;
}
