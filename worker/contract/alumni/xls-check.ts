import { unsupportedFileError } from "./csv.ts";
import { type SheetReader } from "./sheet-reader.ts";

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

export const damagedFileError = () =>
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
export function checkOldWorkbook(reader: SheetReader, bytes: Uint8Array): "before 1997" | "since 1997" {
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
