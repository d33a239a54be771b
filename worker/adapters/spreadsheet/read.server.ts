import { extensionOf } from "#worker/contract/file/rules.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type RawRow, readCsv, unreadableFileError, unsupportedFileError } from "#worker/contract/alumni/csv.ts";
import { type SheetReader } from "#worker/contract/alumni/sheet-reader.ts";
import { isOleFile, isEncryptedPackage, readSheet } from "#worker/contract/alumni/sheet.ts";
import { checkWorkbook } from "#worker/contract/alumni/xlsx-check.ts";

/** Unpacked, 10,000 rows of 13 columns take about 10 MB. */
const WORKBOOK_LIMITS = { inflatedBytes: 32 * 1024 * 1024, rows: ALUMNI_LIMITS.workbookRows };
const TOO_MANY_ROWS =
  "행이 너무 많습니다. xlsx와 xls는 한 번에 10,000행까지 읽습니다. 동문 가져오기 화면에서 올리거나 CSV(50,000행까지)로 저장해 주십시오.";

export interface Table {
  rows: Iterable<RawRow>;
  mergedRows: number[];
}

/**
 * The rows of a file. A csv is read as it is consumed; a workbook at once, after it was found to be harmless.
 * @throws AppError UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readSpreadsheet(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<Table> {
  if (extensionOf(fileName) === "csv") return { rows: readCsv(bytes), mergedRows: [] };
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) await checkWorkbook(bytes, WORKBOOK_LIMITS);
  else if (!isOleFile(bytes)) throw unsupportedFileError("엑셀 파일이 아닙니다. xlsx, xls 또는 csv로 저장해 주십시오.");
  else if (isEncryptedPackage(bytes))
    throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주십시오.");
  const reader = (await import("@e965/xlsx")) as unknown as SheetReader;
  const limit = { rows: ALUMNI_LIMITS.workbookRows, message: TOO_MANY_ROWS };
  const { rows, mergedRows } = readSheet(reader, bytes, limit);
  if (rows.length === 0) throw unreadableFileError("비어 있는 시트입니다.");
  return { rows, mergedRows };
}
