import { AppError, invalid } from "./errors.ts";
import { ALUMNI } from "./limits.ts";

// Reads what people call a spreadsheet into rows of texts; the same in the Worker and in the browser.

/** A row of a file as texts; `row` counts from 1 as the file's own program shows it. */
export interface RawRow {
  row: number;
  cells: string[];
}

export const unsupported = (message: string) => new AppError("UNSUPPORTED_FILE", { message });
export const unreadable = (message: string) => invalid({ file: message });
export const tooLarge = (message: string) => new AppError("PAYLOAD_TOO_LARGE", { message });

const SLICE_BYTES = 256 * 1024;

function* decoded(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
  }
  yield decoder.decode();
}

function holds(bytes: Uint8Array, encoding: string): boolean {
  try {
    for (const piece of decoded(bytes, encoding)) if (piece.includes("\u0000")) return false;
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError UNSUPPORTED_FILE for bytes that are no text of Korea's */
export function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "euc-kr" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  for (const encoding of ["utf-8", "euc-kr"] as const) if (holds(bytes, encoding)) return encoding;
  throw unsupported("글자를 읽을 수 없는 파일입니다. CSV는 UTF-8 또는 한국어(CP949)로 저장해 주십시오.");
}

/** The sign that parts the cells of the first line that has any. */
function delimiterOf(text: string): string {
  const line = text.split(/\r?\n/).find((each) => /[,;\t]/.test(each)) ?? "";
  const count = (sign: string) => line.split(sign).length;
  return [",", "\t", ";"].toSorted((a, b) => count(b) - count(a))[0] ?? ",";
}

/** Rows of a csv, piece by piece. The apostrophe that disarms a formula is taken off again. */
export function* readCsv(bytes: Uint8Array): Generator<RawRow> {
  let cell = "";
  let cells: string[] = [];
  let quoted = false;
  let closing = false;
  let row = 0;
  let delimiter = "";
  const endCell = () => {
    cells.push(cell.replace(/^'(?=[=+\-@\t\r\n\0＝＋－＠])/, ""));
    cell = "";
    closing = false;
  };
  for (const piece of decoded(bytes, encodingOf(bytes))) {
    delimiter ||= delimiterOf(piece);
    for (const letter of piece) {
      if (quoted && !closing) {
        if (letter === '"') closing = true;
        else cell += letter;
      } else if (letter === '"' && closing) {
        cell += letter;
        closing = false;
      } else if (letter === '"' && cell === "") {
        quoted = true;
      } else if (letter === delimiter) {
        quoted = false;
        endCell();
      } else if (letter === "\n") {
        quoted = false;
        endCell();
        yield { row: (row += 1), cells };
        cells = [];
      } else if (letter !== "\r" || cell === "") {
        if (letter !== "\r") cell += letter;
      }
      if (cell.length > ALUMNI.cellLength * 10) throw unreadable("닫히지 않은 따옴표가 있어 파일을 읽을 수 없습니다.");
    }
  }
  if (quoted && !closing) throw unsupported("파일이 끝까지 저장되지 않았습니다. 다시 저장하여 올려 주십시오.");
  if (cell !== "" || cells.length > 0) {
    endCell();
    yield { row: row + 1, cells };
  }
}

const ENTRIES_MAX = 2000;
const INFLATED_MAX = 64 * 1024 * 1024;

interface ZipEntry {
  name: string;
  method: number;
  packed: number;
  size: number;
  offset: number;
}

/** The central directory: what is inside and how large it says it is, before anything is unpacked. */
function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const broken = () => unsupported("손상되었거나 끝까지 저장되지 않은 파일입니다. 다시 저장하여 올려 주십시오.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65_558 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw broken();
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > ENTRIES_MAX) throw tooLarge("엑셀 파일의 구성이 지나치게 복잡합니다. 값만 새 파일에 옮겨 올려 주십시오.");
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw broken();
    if (view.getUint16(at + 8, true) & 1) throw unsupported("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
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

/**
 * Refuses an xlsx that a reader should not be given: no workbook, too much in it, more in it than it says, a DOCTYPE.
 * @throws AppError UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE
 */
export async function checkWorkbook(bytes: Uint8Array<ArrayBuffer>, inflatedMax = INFLATED_MAX): Promise<void> {
  const bomb = () => tooLarge("파일 안에 든 내용이 너무 큽니다. 빈 행과 서식을 지우거나 파일을 나누어 올려 주십시오.");
  const entries = zipEntries(bytes);
  if (!entries.some((entry) => /^xl\/workbook\.(xml|bin)$/i.test(entry.name)))
    throw unsupported("엑셀 파일(xlsx)이 아닙니다.");
  const parts = entries.filter((entry) => /\.(xml|rels|bin)$/i.test(entry.name));
  if (parts.reduce((sum, entry) => sum + entry.size, 0) > inflatedMax) throw bomb();
  let inflated = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const entry of parts) {
    if (entry.method === 0) continue;
    const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
    const packed = new Blob([bytes.subarray(start, start + entry.packed)]);
    const reader = packed.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    let first = true;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        inflated += value.byteLength;
        if (inflated > inflatedMax) throw bomb();
        if (first && /<!DOCTYPE|<!ENTITY/i.test(new TextDecoder().decode(value.subarray(0, 1024))))
          throw unsupported("안전하지 않은 내용이 든 파일입니다. 값만 새 파일에 옮겨 올려 주십시오.");
        first = false;
      }
    } catch (error) {
      await reader.cancel().catch(() => undefined);
      if (error instanceof AppError) throw error;
      throw unsupported("손상되었거나 끝까지 저장되지 않은 파일입니다. 다시 저장하여 올려 주십시오.");
    }
  }
}
