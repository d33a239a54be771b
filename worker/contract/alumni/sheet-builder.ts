import { tooLargeFileError, type RawRow, type StoredCell } from "./csv.ts";
import type { ReadCell } from "./shown-cells.ts";
import {
  type CellRange,
  OTHER_ROWS_MAX,
  type RowLimit,
  SHEET_COLUMNS_MAX,
  type SheetContent,
} from "./sheet-content.ts";

const CELLS_MAX = 5_000_000;

export class SheetBuilder {
  readonly rows: RawRow[] = [];
  readonly merges: CellRange[] = [];
  readonly hiddenRows: number[] = [];
  readonly hiddenColumns: number[] = [];
  row = 0;
  column = 0;
  private cells: string[] = [];
  private stored: StoredCell[] = [];
  private cellCount = 0;
  /** Column to the last row that a cell above covers. */
  private readonly covered = new Map<number, number>();
  private readonly limit: RowLimit;
  readonly name: string;
  readonly isHidden: boolean;

  constructor(name: string, isHidden: boolean, limit: RowLimit) {
    this.name = name;
    this.isHidden = isHidden;
    this.limit = limit;
  }

  beginRow(row: number): void {
    this.endRow();
    this.row = row;
    this.column = 0;
    this.cells = [];
    this.stored = [];
  }

  skipCovered(): void {
    while ((this.covered.get(this.column) ?? 0) >= this.row) this.column += 1;
  }

  put({ text, stored }: ReadCell, across: number, down: number): void {
    const value = text.trim();
    if (value !== "") {
      if (this.column >= SHEET_COLUMNS_MAX)
        throw tooLargeFileError(`열이 너무 많습니다(${this.column + 1}열). 필요한 열만 남겨 주십시오.`);
      this.cells[this.column] = value;
      if (stored) this.stored.push({ column: this.column, ...stored });
    }
    this.cellCount += 1;
    if (this.cellCount > CELLS_MAX)
      throw tooLargeFileError("칸이 너무 많습니다. 필요한 열만 남기거나 파일을 나누어 올려 주십시오.");
    const right = Math.min(this.column + across, SHEET_COLUMNS_MAX) - 1;
    if (across > 1 || down > 1)
      this.merges.push({
        top: this.row,
        bottom: this.row + down - 1,
        left: this.column,
        right: Math.max(right, this.column),
      });
    if (down > 1) for (let at = this.column; at <= right; at += 1) this.covered.set(at, this.row + down - 1);
    this.column += across;
  }

  endRow(): void {
    if (this.row === 0 || this.cells.length === 0) return;
    const cells = Array.from(this.cells, (text: string | undefined) => text ?? "");
    this.rows.push({ row: this.row, cells, ...(this.stored.length > 0 ? { stored: this.stored } : {}) });
    this.cells = [];
    this.stored = [];
    if (this.rows.length > this.limit.rows + OTHER_ROWS_MAX) throw tooLargeFileError(this.limit.message);
  }

  content(): SheetContent {
    this.endRow();
    const { name, isHidden, rows, merges, hiddenRows, hiddenColumns } = this;
    return { name, isHidden, rows, merges, hiddenRows, hiddenColumns };
  }
}
