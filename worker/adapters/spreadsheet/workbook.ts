import type { CellObject, ParsingOptions, WorkBook } from "@e965/xlsx";
import {
  type CellRange,
  NO_RESULT,
  OTHER_ROWS_MAX,
  type RawRow,
  requireColumn,
  type RowLimit,
  SHEET_COLUMNS_MAX,
  type SheetContent,
  SHEETS_MAX,
  type StoredCell,
  tooLargeFileError,
  unreadableFileError,
  unsupportedFileError,
} from "#worker/contract/alumni/import/sheet-content.ts";
import { CellFormats, type ReadCell, type SheetReader } from "./cell-formats.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

interface CellContext {
  formats: CellFormats;
  /** Decodes the single-byte texts of workbooks before Excel 97. */
  decode: (text: string) => string;
}

/** SheetJS omits the format of the first cell with a locale-dependent format. */
const formatOf = ({ z, w = "" }: CellObject): string =>
  typeof z === "string" ? z : /^\d+\/\d+\/\d+$/.test(w) ? "m/d/yy" : w.includes(":") ? "h:mm:ss" : "General";

function readCell({ formats, decode }: CellContext, cell: CellObject | undefined): ReadCell {
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

function readWorkbook(reader: SheetReader, bytes: Uint8Array): WorkBook {
  const options: ParsingOptions = {
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

function readRow(context: CellContext, row: number, line: (CellObject | undefined)[]): RawRow {
  const texts: string[] = [];
  const stored: StoredCell[] = [];
  for (const at of Object.keys(line)) {
    const column = Number(at);
    const cell = readCell(context, line[column]);
    if (cell.text === "") continue;
    requireColumn(column);
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

// Checks an old xls first, because SheetJS trusts every count in the file.

const BOF = 0x0809;

const VERSION_BEFORE_1997 = 0x0500;

const LOCKED = 0x002f;

const TEXTS = 0x00fc;

const CONTINUED = 0x003c;

const CELLS = new Set([0x0006, 0x00bd, 0x00be, 0x00d6, 0x00fd, 0x0201, 0x0203, 0x0204, 0x0205, 0x027e]);

const RECORD_BYTES_MAX = 8224;

const COLUMNS_MAX = 256;

const TEXT_BYTES_MIN = 3;

const damagedFileError = () =>
  unsupportedFileError("손상되었거나 끝까지 저장되지 않은 파일입니다. 다시 저장하여 올려 주십시오.");

function workbookStream({ CFB }: SheetReader, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let entry: ReturnType<typeof CFB.find>;
  try {
    const container = CFB.read(bytes, { type: "array" });
    entry = CFB.find(container, "/Workbook") ?? CFB.find(container, "/Book");
  } catch {
    throw damagedFileError();
  }
  const content = entry?.content;
  if (!entry || !content || content.length < entry.size) throw damagedFileError();
  return Uint8Array.from(content);
}

/**
 * Refuses truncated records and impossible counts. @returns whether texts are single bytes @throws AppError
 * UNSUPPORTED_FILE
 */
function checkOldWorkbook(reader: SheetReader, bytes: Uint8Array): "before 1997" | "since 1997" {
  const settings = workbookStream(reader, bytes);
  const view = new DataView(settings.buffer);
  if (settings.length < 8 || view.getUint16(0, true) !== BOF) throw damagedFileError();
  const isBefore1997 = view.getUint16(4, true) === VERSION_BEFORE_1997;
  let texts = 0;
  let textBytes = 0;
  let inTexts = false;
  for (let at = 0; at + 4 <= settings.length;) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const end = at + 4 + length;
    if (length > RECORD_BYTES_MAX || end > settings.length) throw damagedFileError();
    if (kind === LOCKED) throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
    if (CELLS.has(kind) && (length < 6 || view.getUint16(at + 6, true) >= COLUMNS_MAX)) throw damagedFileError();
    if (kind === TEXTS) {
      if (length < 8) throw damagedFileError();
      texts = view.getUint32(at + 8, true);
    }
    inTexts = kind === TEXTS || (inTexts && kind === CONTINUED);
    if (inTexts) textBytes += length;
    at = end;
  }
  if (texts * TEXT_BYTES_MIN > textBytes) throw damagedFileError();
  return isBefore1997 ? "before 1997" : "since 1997";
}

// Checks an xlsx first, because SheetJS has no limits of time and memory.

const ENTRIES_MAX = 2000;

interface ZipEntry {
  name: string;
  method: number;
  packed: number;
  size: number;
  offset: number;
}

/** Reads the central directory: declared sizes are known before anything is unpacked. */
function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65_558 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw damagedFileError();
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > ENTRIES_MAX)
    throw tooLargeFileError("엑셀 파일의 구성이 지나치게 복잡합니다. 값만 새 파일에 옮겨 올려 주십시오.");
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damagedFileError();
    if (view.getUint16(at + 8, true) & 1)
      throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

export interface WorkbookLimits {
  /** Bytes of all parts unpacked. */
  inflatedBytes: number;
  rows: number;
  cellsPerRow: number;
}

/** Allowance per row of people: row tags and styled empty cells. */
const PER_ROW = { rows: 4, styled: 60 } as const;

function unpackEntry(bytes: Uint8Array<ArrayBuffer>, { offset, packed, method }: ZipEntry): ReadableStream<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const stream = new Blob([bytes.subarray(start, start + packed)]).stream();
  return method === 0 ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw"));
}

const [LESS, GREATER, SLASH, SPACE, COLON] = [0x3c, 0x3e, 0x2f, 0x20, 0x3a];

const [C, R, O, W, S, I] = [0x63, 0x72, 0x6f, 0x77, 0x73, 0x69];

/** `texts` are shared strings and their runs: the reader parses all of them, even those that no cell uses. */
type TagCounts = Record<"rows" | "cells" | "styled" | "texts", number>;

const isWordByte = (byte = 0) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f;

/** The reader takes any prefix, and so does this: `<x:row>` is a row. */
function skipPrefix(piece: Uint8Array, start: number): number {
  let at = start;
  while (isWordByte(piece[at])) at += 1;
  return piece[at] === COLON ? at + 1 : start;
}

/** May miss a tag that a chunk's end splits. */
function countTags(piece: Uint8Array, tags: TagCounts): void {
  for (let at = piece.indexOf(LESS); at >= 0; at = piece.indexOf(LESS, at + 1)) {
    const name = skipPrefix(piece, at + 1);
    const [first, second, third] = [piece[name], piece[name + 1], piece[name + 2]];
    const isShort = second === SPACE || second === SLASH || second === GREATER;
    if (first === R && second === O && third === W) tags.rows += 1;
    else if (first === S && (second === I || second === S)) tags.texts += 1;
    else if (first === R && isShort) tags.texts += 1;
    else if (first === C && isShort) {
      const end = piece.indexOf(GREATER, at);
      if (piece[end - 1] === SLASH) tags.styled += 1;
      else tags.cells += 1;
    }
  }
}

function refuseTooManyCells(
  { rows, cells, styled, texts }: TagCounts,
  { rows: max, cellsPerRow }: WorkbookLimits,
): void {
  if (rows > max * PER_ROW.rows || styled > max * PER_ROW.styled)
    throw tooLargeFileError("빈 행이나 빈 칸의 서식이 너무 많습니다. 값만 새 파일에 옮겨 올려 주십시오.");
  if (Math.max(cells, texts) > max * cellsPerRow)
    throw tooLargeFileError("칸이 너무 많습니다. 필요한 열만 남기거나 파일을 나누어 올려 주십시오.");
}

/**
 * Refuses other zips, oversized content, wrong declared sizes and DOCTYPE. @throws AppError UNSUPPORTED_FILE,
 * PAYLOAD_TOO_LARGE
 */
export async function checkWorkbook(bytes: Uint8Array<ArrayBuffer>, limits: WorkbookLimits): Promise<"excel" | "ods"> {
  const bomb = () =>
    tooLargeFileError("파일 안에 든 내용이 너무 큽니다. 빈 행과 서식을 지우거나 파일을 나누어 올려 주십시오.");
  const entries = zipEntries(bytes);
  const isExcel = entries.some((entry) => /^xl\/workbook\.(xml|bin)$/i.test(entry.name));
  const isOpenDocument = !isExcel && entries.some((entry) => entry.name === OPEN_DOCUMENT_PART);
  if (!isExcel && !isOpenDocument) throw unsupportedFileError("엑셀 파일(xlsx)이 아닙니다.");
  // Counts every part: a workbook may name any of them as its sheet.
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > limits.inflatedBytes) throw bomb();
  let inflated = 0;
  const tags = { rows: 0, cells: 0, styled: 0, texts: 0 };
  for (const entry of entries) {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    let first = true;
    try {
      reader = unpackEntry(bytes, entry).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        inflated += value.byteLength;
        if (inflated > limits.inflatedBytes) throw bomb();
        if (first && /<!DOCTYPE|<!ENTITY/i.test(new TextDecoder().decode(value.subarray(0, 1024))))
          throw unsupportedFileError("안전하지 않은 내용이 든 파일입니다. 값만 새 파일에 옮겨 올려 주십시오.");
        first = false;
        countTags(value, tags);
        refuseTooManyCells(tags, limits);
      }
    } catch (error) {
      await reader?.cancel().catch(() => undefined);
      throw error instanceof AppError ? error : damagedFileError();
    }
  }
  return isExcel ? "excel" : "ods";
}

const OPEN_DOCUMENT_PART = "content.xml";

/** Call `checkWorkbook` first. */
export async function readOpenDocumentText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const entries = zipEntries(bytes);
  // An encrypted file declares it in the manifest, and its parts are no XML.
  const manifest = entries.find((entry) => entry.name === "META-INF/manifest.xml");
  if (manifest && (await new Response(unpackEntry(bytes, manifest)).text()).includes("manifest:encryption-data"))
    throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
  const content = entries.find((entry) => entry.name === OPEN_DOCUMENT_PART);
  if (!content) throw damagedFileError();
  return new Response(unpackEntry(bytes, content)).text();
}
