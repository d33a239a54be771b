import { extensionOf } from "#worker/contract/file.ts";
import { ALUMNI } from "#worker/contract/limits.ts";
import { checkWorkbook, type RawRow, readCsv, unreadable, unsupported } from "#worker/contract/table.ts";
import { isCompound, isEncryptedPackage, readSheet, type SheetReader } from "#worker/contract/table-sheet.ts";

/** Unpacked, 10,000 rows of 13 columns take about 10 MB. */
const INFLATED_MAX = 32 * 1024 * 1024;

export interface Table {
  rows: Iterable<RawRow>;
  mergedRows: number[];
}

/**
 * The rows of a file. A csv is read as it is consumed; a workbook at once, after it was found to be harmless.
 * @throws AppError UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readTable(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<Table> {
  if (extensionOf(fileName) === "csv") return { rows: readCsv(bytes), mergedRows: [] };
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) await checkWorkbook(bytes, INFLATED_MAX);
  else if (!isCompound(bytes)) throw unsupported("엑셀 파일이 아닙니다. xlsx, xls 또는 csv로 저장해 주십시오.");
  else if (isEncryptedPackage(bytes)) throw unsupported("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
  const reader = (await import("@e965/xlsx")) as unknown as SheetReader;
  // Titles above the head and the head itself come on top of the rows.
  const { rows, mergedRows } = readSheet(reader, bytes, ALUMNI.workbookRows + 20);
  if (rows.length === 0) throw unreadable("비어 있는 시트입니다.");
  return { rows, mergedRows };
}
