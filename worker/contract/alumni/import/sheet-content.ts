import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";

/** A cell whose stored value differs from the displayed one. */
export interface StoredCell {
  column: number;
  shown: string;
  stored: string;
  isDate: boolean;
}

/** `row` counts from 1, as in a spreadsheet program. */
export interface RawRow {
  row: number;
  cells: string[];
  /** Cells whose stored value differs, by index in `cells`. */
  stored?: StoredCell[];
}

export const unsupportedFileError = (message: string) => new AppError("UNSUPPORTED_FILE", { message });

export const unreadableFileError = (message: string) => invalidInput({ file: message });

export const tooLargeFileError = (message: string) => new AppError("PAYLOAD_TOO_LARGE", { message });

/** A merged range; rows count from 1, columns from 0. */
export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export interface SheetContent {
  name: string;
  isHidden: boolean;
  rows: RawRow[];
  merges: CellRange[];
  /** Rows from 1. */
  hiddenRows: number[];
  /** Columns from 0. */
  hiddenColumns: number[];
  savedDate?: string;
}

export interface RowLimit {
  rows: number;
  message: string;
}

/** Allows titles, notes and subtotals in addition to people. */
export const OTHER_ROWS_MAX = 2000;

/** Columns beyond this would be read as empty cells. */
export const SHEET_COLUMNS_MAX = 1000;

/** @throws AppError PAYLOAD_TOO_LARGE for a value in a column, from 0, that no reader takes */
export function requireColumn(column: number): void {
  if (column >= SHEET_COLUMNS_MAX)
    throw tooLargeFileError(`열이 너무 많습니다(${column + 1}열). 필요한 열만 남겨 주십시오.`);
}

export const SHEETS_MAX = 100;

/** `="0123"` keeps a text from Excel. */
export const withoutTextFormula = (cell: string): string =>
  cell.startsWith('="') ? (/^="([^"]*)"\s*$/.exec(cell)?.[1] ?? cell) : cell;

/** Marks a formula that was saved without a result. */
export const NO_RESULT = "#NORESULT!";
