import { ownValue } from "#worker/contract/kernel/labels.ts";
import {
  type CellRange,
  NO_RESULT,
  OTHER_ROWS_MAX,
  type RawRow,
  type RowLimit,
  SHEET_COLUMNS_MAX,
  type SheetContent,
  type StoredCell,
  tooLargeFileError,
} from "#worker/contract/alumni/import/sheet-content.ts";
import { attributeOf, numberAttribute, readMarkup } from "./markup.ts";
import { CellFormats, type ReadCell, readShown, type SheetReader } from "./cell-formats.ts";

// Reads HTML tables, Excel 2003 XML and OpenDocument; groupware often names the first two .xls.

const ROW_MAX = 1_048_576;

/** Each table becomes a sheet; a nested table is text of its cell. */
export function readHtmlTables(text: string, limit: RowLimit): SheetContent[] {
  const sheets: SheetContent[] = [];
  let sheet: SheetBuilder | null = null;
  let depth = 0;
  let cell: { text: string; attributes: string } | null = null;
  const endCell = () => {
    if (!cell || !sheet) return;
    sheet.skipCovered();
    const { attributes } = cell;
    const lines = cell.text.split("\n").map((line) => line.trim());
    sheet.put(
      { text: lines.filter(Boolean).join("\n") },
      numberAttribute(attributes, "colspan", SHEET_COLUMNS_MAX),
      numberAttribute(attributes, "rowspan", ROW_MAX),
    );
    cell = null;
  };
  for (const piece of readMarkup(text)) {
    if (piece.kind === "text") {
      if (cell) cell.text += piece.text.replace(/[\r\n\t ]+/g, " ");
    } else if (piece.name === "table") {
      depth += piece.kind === "open" ? 1 : -1;
      if (piece.kind === "open" && depth === 1) sheet = new SheetBuilder(`표 ${sheets.length + 1}`, false, limit);
      if (depth > 0 || !sheet) continue;
      depth = 0;
      endCell();
      sheets.push(sheet.content());
      sheet = null;
    } else if (depth !== 1 || !sheet) {
      if (cell && (piece.name === "br" || piece.name === "tr")) cell.text += "\n";
    } else if (piece.name === "tr") {
      endCell();
      if (piece.kind !== "open") continue;
      sheet.beginRow(sheet.row + 1);
      if (/display\s*:\s*none/i.test(attributeOf(piece.attributes, "style") ?? "")) sheet.hiddenRows.push(sheet.row);
    } else if (piece.name === "td" || piece.name === "th") {
      endCell();
      if (piece.kind === "open") cell = { text: "", attributes: piece.attributes };
      if (sheet.row === 0) sheet.beginRow(1);
    } else if (piece.name === "br" || piece.name === "p" || piece.name === "div") {
      if (cell && cell.text.trim() !== "") cell.text += "\n";
    }
  }
  endCell();
  if (sheet) sheets.push(sheet.content());
  return sheets;
}

const XML_FORMATS: Readonly<Record<string, string>> = {
  "General Date": "m/d/yy h:mm",
  "Long Date": "[$-F800]",
  "Medium Date": "d-mmm-yy",
  "Short Date": "m/d/yy",
  "Long Time": "h:mm:ss",
  "Medium Time": "h:mm AM/PM",
  "Short Time": "h:mm",
  Currency: '"₩"#,##0',
  Fixed: "0.00",
  Standard: "#,##0.00",
  Percent: "0.00%",
  Scientific: "0.00E+00",
};

function readXmlCell(formats: CellFormats, name: string, { text, type }: { text: string; type: string }): ReadCell {
  const format = ownValue(XML_FORMATS, name) ?? (name || "General");
  if (type === "DateTime") {
    const serial = Date.parse(`${text.slice(0, 19)}Z`) / 86_400_000 + 25_569;
    return Number.isFinite(serial) ? formats.number(name === "" ? "yyyy-mm-dd" : format, serial) : { text };
  }
  if (type === "Number" && text !== "" && Number.isFinite(Number(text))) return formats.number(format, Number(text));
  return { text: type === "String" ? formats.text(format, text) : text };
}

export function readXmlSpreadsheet(reader: SheetReader, text: string, limit: RowLimit): SheetContent[] {
  const formats = new CellFormats(reader, false);
  const styles = new Map<string, string>();
  let style = "";
  const sheets: SheetContent[] = [];
  let sheet: SheetBuilder | null = null;
  let cell: { text: string; attributes: string; type: string } | null = null;
  let inData = false;
  let column = 0;
  const index = (attributes: string, next: number, max: number) => {
    const given = attributeOf(attributes, "ss:index");
    return given === null ? next : numberAttribute(attributes, "ss:index", max);
  };
  const endCell = () => {
    if (!cell || !sheet) return;
    const span = (name: string, max: number) =>
      Math.min(Number(attributeOf(cell?.attributes ?? "", name) ?? 0) || 0, max) + 1;
    const hasNoResult = attributeOf(cell.attributes, "ss:formula") !== null && cell.text === "" && cell.type === "";
    const format = styles.get(attributeOf(cell.attributes, "ss:styleid") ?? "") ?? "";
    sheet.put(
      hasNoResult ? { text: NO_RESULT } : readXmlCell(formats, format, cell),
      span("ss:mergeacross", SHEET_COLUMNS_MAX),
      span("ss:mergedown", ROW_MAX),
    );
    cell = null;
  };
  for (const piece of readMarkup(text, new Set())) {
    if (piece.kind === "text") {
      if (cell && inData) cell.text += piece.text;
      continue;
    }
    const isOpen = piece.kind === "open";
    const attributes = isOpen ? piece.attributes : "";
    switch (piece.name) {
      case "style":
        if (isOpen) style = attributeOf(attributes, "ss:id") ?? "";
        break;
      case "numberformat":
        if (isOpen) styles.set(style, attributeOf(attributes, "ss:format") ?? "");
        break;
      case "worksheet":
        if (isOpen) sheet = new SheetBuilder(attributeOf(attributes, "ss:name") ?? "", false, limit);
        else if (sheet) {
          sheets.push(sheet.content());
          sheet = null;
        }
        column = 0;
        break;
      case "column":
        if (!isOpen || !sheet) break;
        column = index(attributes, column + 1, SHEET_COLUMNS_MAX);
        if (attributeOf(attributes, "ss:hidden") === "1") sheet.hiddenColumns.push(column - 1);
        break;
      case "row":
        if (!isOpen || !sheet) break;
        sheet.beginRow(index(attributes, sheet.row + 1, ROW_MAX));
        if (attributeOf(attributes, "ss:hidden") === "1") sheet.hiddenRows.push(sheet.row);
        break;
      case "cell":
        if (!isOpen) endCell();
        else if (sheet) {
          sheet.column = index(attributes, sheet.column + 1, SHEET_COLUMNS_MAX + 1) - 1;
          cell = { text: "", attributes, type: "" };
          if (piece.isClosed) endCell();
        }
        break;
      case "data":
      case "ss:data":
        inData = isOpen && !piece.isClosed;
        if (cell && isOpen) cell.type = attributeOf(attributes, "ss:type") ?? "String";
        break;
      case "br":
        if (cell && inData) cell.text += "\n";
        break;
      default:
    }
  }
  return sheets;
}

/** Expands repeated rows and cells up to the last one with content. */
export function readOpenDocument(text: string, limit: RowLimit): SheetContent[] {
  const sheets: SheetContent[] = [];
  const hiddenStyles = new Set<string>();
  let style = "";
  let sheet: SheetBuilder | null = null;
  let cell: { text: string; attributes: string; paragraphs: number; isCovered: boolean } | null = null;
  let rowRepeat = 1;
  let rowStart = 1;
  let nextRow = 1;
  let columns = 0;
  let isNote = false;
  const endCell = () => {
    if (!cell || !sheet) return;
    const { attributes } = cell;
    const type = attributeOf(attributes, "office:value-type");
    const day = type === "date" ? attributeOf(attributes, "office:date-value")?.slice(0, 10) : null;
    const stored =
      day ?? (/^(?:float|percentage|currency)$/.test(type ?? "") ? attributeOf(attributes, "office:value") : null);
    const read: ReadCell = stored === null ? { text: cell.text } : readShown(cell.text, stored, Boolean(day));
    const repeat = numberAttribute(attributes, "table:number-columns-repeated", ROW_MAX);
    const across = numberAttribute(attributes, "table:number-columns-spanned", SHEET_COLUMNS_MAX);
    const down = numberAttribute(attributes, "table:number-rows-spanned", ROW_MAX);
    const hasNoResult = attributeOf(attributes, "table:formula") !== null && type === null;
    if (cell.isCovered || (read.text === "" && !hasNoResult && across === 1 && down === 1)) sheet.column += repeat;
    else
      for (let each = 0; each < repeat; each += 1) {
        sheet.put(hasNoResult ? { text: NO_RESULT } : read, across, down);
        // The covered cells follow in the markup.
        sheet.column -= across - 1;
      }
    cell = null;
  };
  const endRow = () => {
    sheet?.endRow();
    const last = sheet?.rows.at(-1);
    if (sheet && last?.row === rowStart)
      for (let each = 1; each < rowRepeat; each += 1) {
        sheet.rows.push({ ...last, row: rowStart + each, cells: [...last.cells] });
        if (sheet.rows.length > limit.rows + OTHER_ROWS_MAX) throw tooLargeFileError(limit.message);
      }
  };
  for (const piece of readMarkup(text)) {
    if (piece.kind === "text") {
      if (cell && !isNote) cell.text += piece.text;
      continue;
    }
    const isOpen = piece.kind === "open";
    const attributes = isOpen ? piece.attributes : "";
    switch (piece.name) {
      case "style:style":
        style = isOpen ? (attributeOf(attributes, "style:name") ?? "") : "";
        break;
      case "style:table-properties":
        if (attributeOf(attributes, "table:display") === "false") hiddenStyles.add(style);
        break;
      case "table:table":
        if (isOpen) {
          const isHidden = hiddenStyles.has(attributeOf(attributes, "table:style-name") ?? "");
          sheet = new SheetBuilder(attributeOf(attributes, "table:name") ?? "", isHidden, limit);
          [nextRow, columns] = [1, 0];
        } else if (sheet) {
          sheets.push(sheet.content());
          sheet = null;
        }
        break;
      case "table:table-column": {
        if (!isOpen || !sheet) break;
        const repeat = numberAttribute(attributes, "table:number-columns-repeated", ROW_MAX);
        if (/^(collapse|filter)$/.test(attributeOf(attributes, "table:visibility") ?? ""))
          for (let at = columns; at < Math.min(columns + repeat, SHEET_COLUMNS_MAX); at += 1)
            sheet.hiddenColumns.push(at);
        columns += repeat;
        break;
      }
      case "table:table-row":
        if (!isOpen || !sheet) {
          endRow();
          break;
        }
        rowStart = nextRow;
        rowRepeat = numberAttribute(attributes, "table:number-rows-repeated", ROW_MAX);
        nextRow += rowRepeat;
        sheet.beginRow(rowStart);
        if (/^(collapse|filter)$/.test(attributeOf(attributes, "table:visibility") ?? ""))
          for (let each = 0; each < Math.min(rowRepeat, limit.rows); each += 1) sheet.hiddenRows.push(rowStart + each);
        break;
      case "table:table-cell":
      case "table:covered-table-cell":
        if (!isOpen) endCell();
        else if (sheet) {
          cell = { text: "", attributes, paragraphs: 0, isCovered: piece.name !== "table:table-cell" };
          if (piece.isClosed) endCell();
        }
        break;
      case "office:annotation":
        isNote = isOpen && !piece.isClosed;
        break;
      case "text:p":
        if (cell && isOpen && !isNote) {
          if (cell.paragraphs > 0) cell.text += "\n";
          cell.paragraphs += 1;
        }
        break;
      case "text:s":
        if (cell && isOpen && !isNote) cell.text += " ".repeat(numberAttribute(attributes, "text:c", 100));
        break;
      case "text:tab":
      case "text:line-break":
        if (cell && isOpen && !isNote) cell.text += piece.name === "text:tab" ? " " : "\n";
        break;
      default:
    }
  }
  return sheets;
}

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
