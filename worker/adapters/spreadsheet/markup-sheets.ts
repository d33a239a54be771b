import { type Handler, Parser } from "htmlparser2";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import {
  type CellRange,
  NO_RESULT,
  OTHER_ROWS_MAX,
  type RawRow,
  requireColumn,
  type RowLimit,
  SHEET_COLUMNS_MAX,
  type SheetContent,
  type StoredCell,
  tooLargeFileError,
  unreadableFileError,
} from "#worker/contract/alumni/import/sheet-content.ts";
import { CellFormats, type ReadCell, readShown, type SheetReader } from "./cell-formats.ts";

// Reads HTML tables, Excel 2003 XML and OpenDocument; groupware often names the first two .xls.

const ROW_MAX = 1_048_576;

/** Browsers nest no deeper; the parser looks through all open elements for each end tag. */
const DEPTH_MAX = 512;

type Attributes = Readonly<Record<string, string | undefined>>;

interface MarkupHandler extends Pick<Handler, "ontext" | "onclosetag"> {
  onopentag: (name: string, attributes: Attributes) => void;
}

/** Names arrive in lower case. @throws AppError INVALID_INPUT for nesting that no office program writes */
function readMarkup(text: string, xmlMode: boolean, { onopentag, ontext, onclosetag }: MarkupHandler): void {
  let depth = 0;
  const parser = new Parser(
    {
      ontext,
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEPTH_MAX)
          throw unreadableFileError("파일의 표가 너무 깊이 겹쳐 있습니다. xlsx로 저장해 올려 주십시오.");
        onopentag(name, attributes);
      },
      onclosetag(name, isImplied) {
        depth -= 1;
        onclosetag(name, isImplied);
      },
    },
    { xmlMode, lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeCDATA: true },
  );
  parser.end(text);
}

const readHtml = (text: string, handler: MarkupHandler) => readMarkup(text, false, handler);

const readXml = (text: string, handler: MarkupHandler) => readMarkup(text, true, handler);

const numberOf = (attribute: string | undefined, max: number): number => {
  const value = Number(attribute ?? 1);
  return Number.isInteger(value) && value > 0 ? Math.min(value, max) : 1;
};

/** Each table becomes a sheet; a nested table is text of its cell. */
export function readHtmlTables(text: string, limit: RowLimit): SheetContent[] {
  const sheets: SheetContent[] = [];
  let sheet: SheetBuilder | null = null;
  let depth = 0;
  let cell: { text: string; attributes: Attributes } | null = null;
  let isCode = false;
  const endCell = () => {
    if (!cell || !sheet) return;
    sheet.skipCovered();
    const { attributes } = cell;
    const lines = cell.text.split("\n").map((line) => line.trim());
    sheet.put(
      { text: lines.filter(Boolean).join("\n") },
      numberOf(attributes.colspan, SHEET_COLUMNS_MAX),
      numberOf(attributes.rowspan, ROW_MAX),
    );
    cell = null;
  };
  const breakLine = (name: string) => {
    if (!cell) return;
    if (name === "br" || (depth > 1 ? name === "tr" : /^(?:p|div)$/.test(name) && cell.text.trim() !== ""))
      cell.text += "\n";
  };
  readHtml(text, {
    ontext(piece) {
      if (cell && !isCode) cell.text += piece.replace(/[\r\n\t ]+/g, " ");
    },
    onopentag(name, attributes) {
      if (name === "table") {
        depth += 1;
        if (depth === 1) sheet = new SheetBuilder(`표 ${sheets.length + 1}`, false, limit);
      } else if (depth === 1 && sheet && name === "tr") {
        endCell();
        sheet.beginRow(sheet.row + 1);
        if (/display\s*:\s*none/i.test(attributes.style ?? "")) sheet.hiddenRows.push(sheet.row);
      } else if (depth === 1 && sheet && (name === "td" || name === "th")) {
        endCell();
        cell = { text: "", attributes };
        if (sheet.row === 0) sheet.beginRow(1);
      } else if (name === "script" || name === "style") isCode = true;
      else breakLine(name);
    },
    onclosetag(name, isImplied) {
      if (name === "script" || name === "style") isCode = false;
      if (depth === 1 && /^(?:table|tr|td|th)$/.test(name)) endCell();
      else if (!isImplied && name !== "br") breakLine(name);
      if (name !== "table") return;
      depth -= 1;
      if (depth > 0 || !sheet) return;
      sheets.push(sheet.content());
      sheet = null;
    },
  });
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
  const format = lookUp(XML_FORMATS, name) ?? (name || "General");
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
  let cell: { text: string; attributes: Attributes; type: string } | null = null;
  let inData = false;
  let column = 0;
  const index = (attributes: Attributes, next: number, max: number) =>
    attributes["ss:index"] === undefined ? next : numberOf(attributes["ss:index"], max);
  const endCell = () => {
    if (!cell || !sheet) return;
    const { attributes } = cell;
    const span = (name: string, max: number) => Math.min(Number(attributes[name] ?? 0) || 0, max) + 1;
    const hasNoResult = attributes["ss:formula"] !== undefined && cell.text === "" && cell.type === "";
    const format = styles.get(attributes["ss:styleid"] ?? "") ?? "";
    sheet.put(
      hasNoResult ? { text: NO_RESULT } : readXmlCell(formats, format, cell),
      span("ss:mergeacross", SHEET_COLUMNS_MAX),
      span("ss:mergedown", ROW_MAX),
    );
    cell = null;
  };
  readXml(text, {
    ontext(piece) {
      if (cell && inData) cell.text += piece;
    },
    onopentag(name, attributes) {
      if (name === "style") style = attributes["ss:id"] ?? "";
      else if (name === "numberformat") styles.set(style, attributes["ss:format"] ?? "");
      else if (name === "worksheet") {
        sheet = new SheetBuilder(attributes["ss:name"] ?? "", false, limit);
        column = 0;
      } else if (name === "column" && sheet) {
        column = index(attributes, column + 1, SHEET_COLUMNS_MAX);
        if (attributes["ss:hidden"] === "1") sheet.hiddenColumns.push(column - 1);
      } else if (name === "row" && sheet) {
        sheet.beginRow(index(attributes, sheet.row + 1, ROW_MAX));
        if (attributes["ss:hidden"] === "1") sheet.hiddenRows.push(sheet.row);
      } else if (name === "cell" && sheet) {
        sheet.column = index(attributes, sheet.column + 1, SHEET_COLUMNS_MAX + 1) - 1;
        cell = { text: "", attributes, type: "" };
      } else if (name === "data" || name === "ss:data") {
        inData = true;
        if (cell) cell.type = attributes["ss:type"] ?? "String";
      } else if (name === "br" && cell && inData) cell.text += "\n";
    },
    onclosetag(name) {
      if (name === "cell") endCell();
      else if (name === "data" || name === "ss:data") inData = false;
      else if (name === "worksheet" && sheet) {
        sheets.push(sheet.content());
        sheet = null;
      }
    },
  });
  return sheets;
}

/** Expands repeated rows and cells up to the last one with content. */
export function readOpenDocument(text: string, limit: RowLimit): SheetContent[] {
  const sheets: SheetContent[] = [];
  const hiddenStyles = new Set<string>();
  let style = "";
  let sheet: SheetBuilder | null = null;
  let cell: { text: string; attributes: Attributes; paragraphs: number; isCovered: boolean } | null = null;
  let rowRepeat = 1;
  let rowStart = 1;
  let nextRow = 1;
  let columns = 0;
  let isNote = false;
  const endCell = () => {
    if (!cell || !sheet) return;
    const { attributes } = cell;
    const type = attributes["office:value-type"];
    const day = type === "date" ? attributes["office:date-value"]?.slice(0, 10) : undefined;
    const stored = day ?? (/^(?:float|percentage|currency)$/.test(type ?? "") ? attributes["office:value"] : undefined);
    const read: ReadCell = stored === undefined ? { text: cell.text } : readShown(cell.text, stored, Boolean(day));
    const repeat = numberOf(attributes["table:number-columns-repeated"], ROW_MAX);
    const across = numberOf(attributes["table:number-columns-spanned"], SHEET_COLUMNS_MAX);
    const down = numberOf(attributes["table:number-rows-spanned"], ROW_MAX);
    const hasNoResult = attributes["table:formula"] !== undefined && type === undefined;
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
  const isHidden = (attributes: Attributes) => /^(?:collapse|filter)$/.test(attributes["table:visibility"] ?? "");
  readXml(text, {
    ontext(piece) {
      if (cell && !isNote) cell.text += piece;
    },
    onopentag(name, attributes) {
      if (name === "style:style") style = attributes["style:name"] ?? "";
      else if (name === "style:table-properties" && attributes["table:display"] === "false") hiddenStyles.add(style);
      else if (name === "office:annotation") isNote = true;
      else if (name === "table:table") {
        const isHiddenSheet = hiddenStyles.has(attributes["table:style-name"] ?? "");
        sheet = new SheetBuilder(attributes["table:name"] ?? "", isHiddenSheet, limit);
        [nextRow, columns] = [1, 0];
      } else if (name === "table:table-column" && sheet) {
        const repeat = numberOf(attributes["table:number-columns-repeated"], ROW_MAX);
        if (isHidden(attributes))
          for (let at = columns; at < Math.min(columns + repeat, SHEET_COLUMNS_MAX); at += 1)
            sheet.hiddenColumns.push(at);
        columns += repeat;
      } else if (name === "table:table-row" && sheet) {
        rowStart = nextRow;
        rowRepeat = numberOf(attributes["table:number-rows-repeated"], ROW_MAX);
        nextRow += rowRepeat;
        sheet.beginRow(rowStart);
        if (isHidden(attributes))
          for (let each = 0; each < Math.min(rowRepeat, limit.rows); each += 1) sheet.hiddenRows.push(rowStart + each);
      } else if ((name === "table:table-cell" || name === "table:covered-table-cell") && sheet)
        cell = { text: "", attributes, paragraphs: 0, isCovered: name !== "table:table-cell" };
      else if (!cell || isNote) return;
      else if (name === "text:p") {
        if (cell.paragraphs > 0) cell.text += "\n";
        cell.paragraphs += 1;
      } else if (name === "text:s") cell.text += " ".repeat(numberOf(attributes["text:c"], 100));
      else if (name === "text:tab") cell.text += " ";
      else if (name === "text:line-break") cell.text += "\n";
    },
    onclosetag(name) {
      if (name === "office:annotation") isNote = false;
      else if (name === "table:table-cell" || name === "table:covered-table-cell") endCell();
      else if (name === "table:table-row") endRow();
      else if (name === "table:table" && sheet) {
        sheets.push(sheet.content());
        sheet = null;
      }
    },
  });
  return sheets;
}

const CELLS_MAX = 5_000_000;

class SheetBuilder {
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
      requireColumn(this.column);
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
