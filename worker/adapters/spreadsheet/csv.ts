import {
  type RawRow,
  requireColumn,
  SHEET_COLUMNS_MAX,
  unreadableFileError,
  unsupportedFileError,
  withoutTextFormula,
} from "#worker/contract/alumni/import/sheet-content.ts";
import { FORMULA_START } from "#worker/contract/kernel/text.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";

const SLICE_BYTES = 256 * 1024;

function* decodeSlices(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
  }
  yield decoder.decode();
}

function isEncodedAs(bytes: Uint8Array, encoding: string): boolean {
  try {
    for (const piece of decodeSlices(bytes, encoding)) if (piece.includes("\u0000")) return false;
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError UNSUPPORTED_FILE for bytes in no Korean encoding */
export function detectEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "euc-kr" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  for (const encoding of ["utf-8", "euc-kr"] as const) if (isEncodedAs(bytes, encoding)) return encoding;
  throw unsupportedFileError("글자를 읽을 수 없는 파일입니다. CSV는 UTF-8 또는 한국어(CP949)로 저장해 주십시오.");
}

const DELIMITERS = [",", "\t", ";", "|"] as const;
const DELIMITER_LINES = 40;

/** The separator that splits most lines into the same number of cells. */
function detectDelimiter(text: string): string {
  const lines = text
    .split(/\r\n?|\n/, DELIMITER_LINES)
    .map((line) => line.replace(/"[^"]*"/g, ""))
    .filter((line) => line.trim() !== "");
  const score = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    return counts.length * 100 + Math.min(usual, 99);
  };
  return DELIMITERS.toSorted((a, b) => score(b) - score(a))[0] ?? ",";
}

export function* readCsv(bytes: Uint8Array): Generator<RawRow> {
  let cell = "";
  let cells: string[] = [];
  let quoted = false;
  let closing = false;
  // Accepts CR LF, LF and the CR of old Macs.
  let returned = false;
  let row = 0;
  let delimiter = "";
  const endCell = () => {
    if (cell.trim() !== "") requireColumn(cells.length);
    if (cells.length < SHEET_COLUMNS_MAX)
      cells.push(cell.startsWith("'") && FORMULA_START.test(cell.slice(1)) ? cell.slice(1) : withoutTextFormula(cell));
    cell = "";
    closing = false;
  };
  for (const piece of decodeSlices(bytes, detectEncoding(bytes))) {
    let text = piece;
    if (delimiter === "" && text !== "") {
      // Excel's `sep=` line, which is no row.
      const named = /^\ufeff?sep=(.)\r?\n/.exec(text);
      delimiter = named?.[1] ?? detectDelimiter(text);
      text = text.slice(named?.[0].length ?? 0);
      if (named) row += 1;
    }
    for (const letter of text) {
      const second = returned && letter === "\n";
      returned = letter === "\r" && (!quoted || closing);
      if (second) continue;
      if (quoted && !closing) {
        if (letter === '"') closing = true;
        else cell += letter;
      } else if (letter === '"' && closing) {
        cell += letter;
        closing = false;
      } else if (letter === '"' && (cell === "" || cell === "=")) {
        // As in `withoutTextFormula`, without quotes around the cell.
        cell = "";
        quoted = true;
      } else if (letter === delimiter) {
        quoted = false;
        endCell();
      } else if (letter === "\n" || letter === "\r") {
        quoted = false;
        endCell();
        yield { row: (row += 1), cells };
        cells = [];
      } else cell += letter;
      if (cell.length > ALUMNI_LIMITS.cellLength * 10)
        throw unreadableFileError(
          quoted
            ? "닫히지 않은 따옴표가 있어 파일을 읽을 수 없습니다."
            : `${row + 1}행에 지나치게 긴 칸이 있어 파일을 읽을 수 없습니다.`,
        );
    }
  }
  if (quoted && !closing) throw unsupportedFileError("파일이 끝까지 저장되지 않았습니다. 다시 저장하여 올려 주십시오.");
  if (cell !== "" || cells.length > 0) {
    endCell();
    yield { row: row + 1, cells };
  }
}
