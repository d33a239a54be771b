import { CFB, utils, write, type BookType, type WorkBook } from "@e965/xlsx";

type FileBytes = Uint8Array<ArrayBuffer>;

export interface MadeSheet {
  rows: unknown[][];
  merges?: string[];
  hiddenRows?: number[];
  hiddenColumns?: string[];
  isHidden?: boolean;
  /** SheetJS cells by cell name. */
  cells?: Record<string, object>;
}

export const encode = (text: string) => new TextEncoder().encode(text) as FileBytes;

export function makeBook(sheets: Record<string, MadeSheet>): WorkBook {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) {
    const made = utils.aoa_to_sheet(sheet.rows);
    if (sheet.merges) made["!merges"] = sheet.merges.map((range) => utils.decode_range(range));
    if (sheet.hiddenRows) {
      made["!rows"] = [];
      for (const row of sheet.hiddenRows) made["!rows"][row - 1] = { hidden: true };
    }
    if (sheet.hiddenColumns) {
      made["!cols"] = [];
      for (const letters of sheet.hiddenColumns) made["!cols"][utils.decode_col(letters)] = { hidden: true };
    }
    for (const [place, cell] of Object.entries(sheet.cells ?? {})) {
      const range = utils.decode_range(made["!ref"] ?? "A1");
      const { r, c } = utils.decode_cell(place);
      range.e = { r: Math.max(range.e.r, r), c: Math.max(range.e.c, c) };
      made["!ref"] = utils.encode_range(range);
      made[place] = cell;
    }
    utils.book_append_sheet(book, made, name);
  }
  book.Workbook = { Sheets: Object.values(sheets).map(({ isHidden }) => ({ Hidden: isHidden ? 1 : 0 })) };
  return book;
}

export const makeFile = (sheets: Record<string, MadeSheet>, bookType: BookType = "xlsx"): FileBytes =>
  new Uint8Array(write(makeBook(sheets), { type: "array", bookType, compression: true }) as ArrayBuffer);

export const sheetFile = (rows: unknown[][], more: Omit<MadeSheet, "rows"> = {}, bookType: BookType = "xlsx") =>
  makeFile({ 명부: { rows, ...more } }, bookType);

/** Encodes CP949 by inverting the decoder. */
export function encodeCp949(text: string): FileBytes {
  const bytes: number[] = [];
  for (const letter of text) bytes.push(...(cp949().get(letter) ?? [letter.codePointAt(0) ?? 0x3f]));
  return Uint8Array.from(bytes);
}

let letters: Map<string, number[]> | undefined;
function cp949(): Map<string, number[]> {
  if (letters) return letters;
  letters = new Map();
  const decoder = new TextDecoder("euc-kr");
  for (let high = 0x81; high < 0xff; high += 1)
    for (let low = 0x41; low < 0xff; low += 1) {
      const letter = decoder.decode(Uint8Array.of(high, low));
      if (letter.length === 1 && letter !== "\ufffd" && !letters.has(letter)) letters.set(letter, [high, low]);
    }
  return letters;
}

export function encodeUtf16(text: string, isBigEndian = false): FileBytes {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, !isBigEndian);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + at * 2, text.charCodeAt(at), !isBigEndian);
  return bytes;
}

/** An Excel 95 book. SheetJS cannot write Korean letters, so substitutes are replaced afterwards. */
export function makeOldFile(rows: unknown[][]): FileBytes {
  const marks = new Map<string, FileBytes>();
  const masked = rows.map((row) =>
    row.map((value) => {
      if (typeof value !== "string") return value;
      const bytes = encodeCp949(value);
      const mark = `q${marks.size}q`.padEnd(bytes.length, "q").slice(0, bytes.length);
      marks.set(mark, bytes);
      return mark;
    }),
  );
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(masked), "list");
  const bytes = new Uint8Array(write(book, { type: "array", bookType: "biff5" }) as ArrayBuffer);
  for (const [mark, text] of marks) {
    const at = bytes.findIndex((_, from) =>
      Array.from(mark).every((letter, index) => bytes[from + index] === letter.charCodeAt(0)),
    );
    bytes.set(text, at);
  }
  return bytes;
}

const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";
export function makeOpenDocument(tables: string, styles = "", manifest = ""): FileBytes {
  const zip = CFB.utils.cfb_new();
  const names = ["office", "table", "text", "style"].map((name) => `xmlns:${name}="${OFFICE}:${name}:1.0"`).join(" ");
  const parts = {
    "/mimetype": "application/vnd.oasis.opendocument.spreadsheet",
    "/META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0">${manifest}</manifest:manifest>`,
    "/styles.xml": `<?xml version="1.0" encoding="UTF-8"?><office:document-styles ${names}/>`,
    "/content.xml": `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  };
  for (const [name, content] of Object.entries(parts)) CFB.utils.cfb_add(zip, name, encode(content));
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array", compression: true }) as ArrayBuffer);
}

export const openDocumentTable = (rows: string[][]) =>
  `<table:table table:name="명부">${rows
    .map(
      (cells) =>
        `<table:table-row>${cells.map((text) => (text === "" ? "<table:table-cell/>" : `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`)).join("")}</table:table-row>`,
    )
    .join("")}</table:table>`;
