/** Limits of what a preview shows. */
export const SHEET_ROWS = 200;
export const SHEET_COLUMNS = 30;
export const SHEETS_SHOWN = 20;

export interface ShownSheet {
  name: string;
  rows: string[][];
  isCut: boolean;
}

export type SheetAnswer = { sheets: ShownSheet[] } | { problem: true };
