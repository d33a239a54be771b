import { FORMULA_START } from "#worker/contract/kernel/text.ts";
import { yieldToEventLoop } from "../invocation.server.ts";
import { zipPieces } from "../zip.server.ts";

export interface SheetColumn {
  header: string;
  /** Characters. */
  width: number;
  /** Choices of a drop-down below the header; Excel limits their total to 255 characters. */
  choices?: readonly string[];
}
export type SheetValue = string | number | null;
export type SheetRowSource = AsyncIterable<readonly SheetValue[]> | Iterable<readonly SheetValue[]>;

const FLUSH_CHARACTERS = 64 * 1024;
const encoder = new TextEncoder();

type SheetBytes = Uint8Array<ArrayBuffer>;
type BytePieces = AsyncGenerator<SheetBytes, void, undefined>;

/** A csv for Excel: UTF-8 with BOM, CRLF, formulas disarmed by an apostrophe. */
export async function* csvPieces(columns: readonly SheetColumn[], rows: SheetRowSource): BytePieces {
  let text = `\ufeff${csvLine(columns.map((column) => column.header))}`;
  for await (const row of rows) {
    text += csvLine(row);
    if (text.length > FLUSH_CHARACTERS) {
      yield encoder.encode(text);
      text = "";
      await yieldToEventLoop();
    }
  }
  yield encoder.encode(text);
}

export const writeCsv = (columns: readonly SheetColumn[], rows: SheetRowSource): Promise<Blob> =>
  collectBlob(csvPieces(columns, rows));

async function collectBlob(pieces: BytePieces): Promise<Blob> {
  const parts: SheetBytes[] = [];
  for await (const piece of pieces) parts.push(piece);
  return new Blob(parts);
}

const csvLine = (row: readonly SheetValue[]) => `${row.map(csvCell).join(",")}\r\n`;

function csvCell(value: SheetValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Deflates an xlsx row by row. Texts are string cells, never formulas. */
export function xlsxPieces(sheetName: string, columns: readonly SheetColumn[], rows: SheetRowSource): BytePieces {
  const part = (name: string, texts: AsyncIterable<string> | Iterable<string>) => ({
    name,
    lastModified: PART_DATE,
    contents: encoded(texts),
    deflate: true,
  });
  return zipPieces([
    ...Object.entries(fixedParts(sheetName)).map(([name, text]) => part(name, [text])),
    part("xl/worksheets/sheet1.xml", sheetXml(columns, rows)),
  ]);
}

export const writeXlsx = (sheetName: string, columns: readonly SheetColumn[], rows: SheetRowSource): Promise<Blob> =>
  collectBlob(xlsxPieces(sheetName, columns, rows));

/** A fixed date: the same rows make the same file. */
const PART_DATE = new Date(2025, 0, 1);

async function* encoded(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<SheetBytes> {
  for await (const text of texts) yield encoder.encode(text);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** Excel refuses a workbook with a sheet of another name. */
const sheetTitle = (name: string) =>
  name
    .replace(/[[\]:*?/\\']/g, " ")
    .trim()
    .slice(0, 31) || "Sheet1";

const CELL_STYLE = { plain: 0, text: 1, quoted: 2, header: 3 } as const;

function fixedParts(sheetName: string): Record<string, string> {
  const type = (part: string, kind: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  return {
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type("/xl/workbook.xml", "sheet.main")}${type("/xl/worksheets/sheet1.xml", "worksheet")}${type("/xl/styles.xml", "styles")}</Types>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(sheetTitle(sheetName))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="맑은 고딕"/></font><font><b/><sz val="11"/><name val="맑은 고딕"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDCEDF2"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/><xf fontId="1" fillId="2" applyFont="1" applyFill="1" quotePrefix="1"/></cellXfs></styleSheet>`,
  };
}

async function* sheetXml(columns: readonly SheetColumn[], rows: SheetRowSource): AsyncGenerator<string> {
  const last = columnName(columns.length - 1);
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
  const heads = columns.map(({ header }, at) => textCell(`${columnName(at)}1`, header, CELL_STYLE.header));
  let text = `<row r="1">${heads.join("")}</row>`;
  let number = 1;
  const names = columns.map((_, at) => columnName(at));
  for await (const row of rows) {
    number += 1;
    text += `<row r="${number}">`;
    for (const [at, value] of row.entries()) {
      if (value === null || value === "") continue;
      const place = `${names[at]}${number}`;
      text +=
        typeof value === "number"
          ? `<c r="${place}"><v>${value}</v></c>`
          : textCell(place, value, FORMULA_START.test(value) ? CELL_STYLE.quoted : CELL_STYLE.text);
    }
    text += "</row>";
    if (text.length > FLUSH_CHARACTERS) {
      yield text;
      text = "";
    }
  }
  yield `${text}</sheetData><autoFilter ref="A1:${last}${number}"/>${validations(columns)}</worksheet>`;
}

function validations(columns: readonly SheetColumn[]): string {
  const rules = columns.flatMap(({ choices }, at) => {
    if (!choices || choices.length === 0) return [];
    const name = columnName(at);
    return `<dataValidation type="list" allowBlank="1" sqref="${name}2:${name}2000"><formula1>"${escapeXml(choices.join(",").replaceAll('"', '""'))}"</formula1></dataValidation>`;
  });
  return rules.length === 0 ? "" : `<dataValidations count="${rules.length}">${rules.join("")}</dataValidations>`;
}

const textCell = (place: string, value: string, style: number) =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;

/** XML allows no control characters and no lone surrogates. */
function escapeXml(value: string): string {
  return value
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}
