import type { RawRow } from "./csv.ts";

/** Cells that are one; rows count from 1, columns from 0. */
export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** A sheet as it stands in its file, whatever program wrote it. */
export interface SheetContent {
  name: string;
  isHidden: boolean;
  /** The rows with any text, hidden ones too. */
  rows: RawRow[];
  merges: CellRange[];
  /** Rows from 1. */
  hiddenRows: number[];
  /** Columns from 0. */
  hiddenColumns: number[];
  /** When its file was last saved, as far as that is known. */
  savedDate?: string;
}

export interface RowLimit {
  rows: number;
  /** What is said to a person whose file has more. */
  message: string;
}

/** Titles, notes and subtotals come on top of the rows of people. */
export const OTHER_ROWS_MAX = 2000;

/** More than any list of people has; what stands behind it would be read as so many empty cells. */
export const SHEET_COLUMNS_MAX = 1000;

/** Sheets with content that are read of one file. */
export const SHEETS_MAX = 100;

/** Stands where a formula was saved without its result; nobody writes it. */
export const NO_RESULT = "#NORESULT!";
