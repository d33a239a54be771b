import { damagedFileError } from "./xls-check.ts";
import { tooLargeFileError, unsupportedFileError } from "./csv.ts";
import { AppError } from "../kernel/errors.ts";

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

const [LESS, GREATER, SLASH, SPACE] = [0x3c, 0x3e, 0x2f, 0x20];

const [C, R, O, W] = [0x63, 0x72, 0x6f, 0x77];

/** May miss a tag that a chunk's end splits. */
function countTags(piece: Uint8Array, tags: { rows: number; cells: number; styled: number }): void {
  for (let at = piece.indexOf(LESS); at >= 0; at = piece.indexOf(LESS, at + 1)) {
    if (piece[at + 1] === R && piece[at + 2] === O && piece[at + 3] === W) tags.rows += 1;
    else if (piece[at + 1] === C && piece[at + 2] === SPACE) {
      const end = piece.indexOf(GREATER, at);
      if (piece[end - 1] === SLASH) tags.styled += 1;
      else tags.cells += 1;
    }
  }
}

function refuseTooManyCells(
  { rows, cells, styled }: { rows: number; cells: number; styled: number },
  { rows: max, cellsPerRow }: WorkbookLimits,
): void {
  if (rows > max * PER_ROW.rows || styled > max * PER_ROW.styled)
    throw tooLargeFileError("빈 행이나 빈 칸의 서식이 너무 많습니다. 값만 새 파일에 옮겨 올려 주십시오.");
  if (cells > max * cellsPerRow)
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
  const tags = { rows: 0, cells: 0, styled: 0 };
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
