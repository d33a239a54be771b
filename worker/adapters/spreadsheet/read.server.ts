import { extensionOf } from "#worker/contract/file/rules.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { readCsv } from "./csv.ts";
import { findPeople } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "./read-file.ts";
import type { RawRow, RowLimit, SheetContent } from "#worker/contract/alumni/import/sheet-content.ts";

/** 10,000 rows of 13 columns inflate to about 10 MB. */
const WORKBOOK_LIMITS = {
  inflatedBytes: 32 * 1024 * 1024,
  rows: ALUMNI_LIMITS.workbookRows,
  cellsPerRow: 20,
  message:
    "행이 너무 많습니다. xlsx와 xls는 한 번에 10,000행까지 읽습니다. 주소록 가져오기 화면에서 올리거나 CSV(50,000행까지)로 저장해 주십시오.",
};

/** A sheet whose rows can be iterated repeatedly; a csv is never in memory as a whole. */
export interface Table extends Omit<SheetContent, "rows"> {
  rows: Iterable<RawRow>;
  otherSheets: string[];
  limit: RowLimit | null;
}

/**
 * Streams a csv; a workbook is read at once after safety checks. Defaults to the first sheet with people. @throws
 * AppError UNSUPPORTED_FILE, PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readSpreadsheet(fileName: string, bytes: Uint8Array<ArrayBuffer>, wantedSheet?: string) {
  if (extensionOf(fileName) === "csv") {
    const rows = { [Symbol.iterator]: () => readCsv(bytes) };
    return {
      name: "",
      isHidden: false,
      rows,
      merges: [],
      hiddenRows: [],
      hiddenColumns: [],
      otherSheets: [],
      limit: null,
    };
  }
  const sheets = await readFileSheets(bytes, WORKBOOK_LIMITS);
  const content = chooseSheet(sheets, fileName, wantedSheet);
  const limit = { rows: WORKBOOK_LIMITS.rows, message: WORKBOOK_LIMITS.message };
  return { ...content, limit, otherSheets: sheets.filter((sheet) => sheet !== content).map(({ name }) => name) };
}

function chooseSheet(sheets: readonly SheetContent[], fileName: string, wanted: string | undefined): SheetContent {
  const named = sheets.find(({ name }) => wanted !== undefined && name === wanted);
  if (named) return named;
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  if (visible.length === 1 && visible[0]) return visible[0];
  const { tables } = findPeople(visible, fileName);
  const found = visible.find(({ name }) => name === tables[0]?.sheet) ?? visible[0];
  return found as SheetContent;
}
