import { strFromU8, unzipSync } from "fflate";
import { DRAWN_LETTERS, shownPictures, type WordPictures } from "./word-pictures.ts";
import { attributeOf, decodeEntities, type XmlPiece, xmlPieces } from "#app/features/file/upload/xml-text.ts";

export interface WordParagraph {
  id: number;
  text: string;
  isBold: boolean;
  align: "left" | "center" | "right";
}

interface WordCell {
  id: number;
  columns: number;
  rows: number;
  blocks: WordBlock[];
}

export interface WordTable {
  id: number;
  rows: { id: number; cells: WordCell[] }[];
}

export interface WordPicture {
  id: number;
  /** Empty if it cannot be shown. */
  src: string;
  alt: string;
  /** In the document, in pixels. */
  width: number;
}

export type WordBlock = WordParagraph | WordTable | WordPicture;

export type WordAnswer = { blocks: WordBlock[] } | { problem: true };

/** Longer documents are cut; the file holds the rest. */
const SHOWN_LETTERS = 100_000;
/** Paragraphs, pictures, rows and cells: an empty one has no letters. */
const SHOWN_PARTS = 20_000;
/** The limit of unpacked bytes, against zip bombs. */
const PART_BYTES = 40 * 1024 * 1024;
const PART = "word/document.xml";
const EMU_PER_PIXEL = 9525;

export function readWordBlocks(bytes: ArrayBuffer): WordBlock[] {
  const parts = unzipSync(new Uint8Array(bytes), {
    filter: ({ name, originalSize }) => name === PART && originalSize <= PART_BYTES,
  });
  const part = parts[PART];
  if (!part) throw new Error(`no ${PART}`);
  return wordBlocksOf(strFromU8(part), shownPictures(new Uint8Array(bytes)));
}

const valueOf = ({ attributes }: XmlPiece) => /\bval="([^"]*)"/.exec(attributes)?.[1];
const isOn = (piece: XmlPiece) => !/^(?:0|false|none)$/.test(valueOf(piece) ?? "");

interface OpenCell extends WordCell {
  /** Continues the cell above. */
  isContinued: boolean;
}

interface OpenTable {
  id: number;
  rows: { id: number; cells: OpenCell[] }[];
}

/** Paragraphs and tables in their order; a table keeps its rows, its cells and their spans. */
export function wordBlocksOf(xml: string, pictures: WordPictures = new Map()): WordBlock[] {
  const blocks: WordBlock[] = [];
  const tables: OpenTable[] = [];
  const paragraphs: WordParagraph[] = [];
  let lastId = 0;
  let letters = 0;
  let parts = 0;
  let drawable = DRAWN_LETTERS;
  let isRunBold = false;
  let fallbacks = 0;
  let drawn = { alt: "", width: 0 };
  const openCell = () => tables.at(-1)?.rows.at(-1)?.cells.at(-1);
  const add = (block: WordBlock) => {
    parts += 1;
    (openCell()?.blocks ?? blocks).push(block);
  };
  const addPicture = (id: number, key: string) => {
    const src = pictures.get(key) ?? "";
    const isDrawn = src.length <= drawable;
    if (isDrawn) drawable -= src.length;
    add({ id, src: isDrawn ? src : "", ...drawn });
  };
  const endParagraph = () => {
    const paragraph = paragraphs.pop();
    if (paragraph) add({ ...paragraph, text: decodeEntities(paragraph.text) });
  };
  const endTable = () => {
    const table = tables.pop();
    if (table) add(joinedRows(table));
  };
  for (const piece of xmlPieces(xml)) {
    const { name, isEnd, isEmpty, text } = piece;
    if (letters > SHOWN_LETTERS || parts > SHOWN_PARTS) break;
    // Repeats its text box for old programs.
    if (name === "Fallback") fallbacks += isEnd ? -1 : 1;
    if (fallbacks > 0) continue;
    const paragraph = paragraphs.at(-1);
    const id = (lastId += 1);
    if (name === "p") {
      if (!isEnd) paragraphs.push({ id, text: "", isBold: false, align: "left" });
      if (isEnd || isEmpty) endParagraph();
    } else if (name === "tbl") {
      if (isEnd) endTable();
      else tables.push({ id, rows: [] });
    } else if (isEnd) continue;
    else if (name === "tr") {
      parts += 1;
      tables.at(-1)?.rows.push({ id, cells: [] });
    } else if (name === "tc") {
      parts += 1;
      tables.at(-1)?.rows.at(-1)?.cells.push({ id, columns: 1, rows: 1, blocks: [], isContinued: false });
    } else if (name === "gridSpan") Object.assign(openCell() ?? {}, { columns: Number(valueOf(piece)) || 1 });
    else if (name === "vMerge") Object.assign(openCell() ?? {}, { isContinued: valueOf(piece) !== "restart" });
    else if (name === "drawing" || name === "pict") drawn = { alt: "", width: 0 };
    else if (name === "extent") drawn.width = Math.round(Number(attributeOf(piece.attributes, "cx")) / EMU_PER_PIXEL);
    else if (name === "docPr") drawn.alt = decodeEntities(attributeOf(piece.attributes, "descr") ?? "");
    else if (name === "blip" || name === "imagedata") {
      const key = attributeOf(piece.attributes, name === "blip" ? "embed" : "id");
      if (key !== undefined) addPicture(id, key);
    } else if (name === "r") isRunBold = false;
    else if (name === "b") isRunBold = isOn(piece);
    else if (!paragraph) continue;
    else if (name === "jc") paragraph.align = alignOf(valueOf(piece));
    else if (name === "tab" || name === "br") paragraph.text += name === "br" ? "\n" : " ";
    else if (name === "t") {
      if (paragraph.text === "") paragraph.isBold = isRunBold;
      paragraph.text += text;
      letters += text.length;
    }
  }
  while (tables.length > 0) endTable();
  return blocks;
}

function alignOf(value: string | undefined): WordParagraph["align"] {
  if (value === "center") return "center";
  return value === "right" || value === "end" ? "right" : "left";
}

/** Joins cells that continue the cell above. */
function joinedRows({ id, rows }: OpenTable): WordTable {
  const above = new Map<number, WordCell>();
  const joined = rows.map((row) => {
    let column = 0;
    const cells = row.cells.flatMap(({ isContinued, ...cell }) => {
      const at = column;
      column += cell.columns;
      const owner = above.get(at);
      if (isContinued && owner) {
        owner.rows += 1;
        return [];
      }
      above.set(at, cell);
      return [cell];
    });
    return { id: row.id, cells };
  });
  return { id, rows: joined };
}
