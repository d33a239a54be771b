/** So much of each sheet, and so many of them, is looked at on a screen. */
export const SHEET_ROWS = 200;
export const SHEET_COLUMNS = 30;
export const SHEETS_SHOWN = 20;

export interface ShownSheet {
  name: string;
  rows: string[][];
  /** It has more rows or columns than are shown. */
  isCut: boolean;
}

export type SheetAnswer = { sheets: ShownSheet[] } | { problem: true };
