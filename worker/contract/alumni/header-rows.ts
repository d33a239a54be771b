import { normaliseUnicode } from "../kernel/text.ts";
import type { RawRow } from "./csv.ts";
import { headerMeaning, isForeignHeader } from "./header-words.ts";
import type { CellRange } from "./sheet-content.ts";

// Reads header texts from a row, alone or combined with the row above or below it.

export const cleanHeader = (cell: string) => normaliseUnicode(cell, "NFC").replace(/\s+/g, " ").trim().slice(0, 200);

/** The texts of a row, with merged cells repeated in each column they cover. */
export function spreadTexts({ row, cells }: RawRow, merges: readonly CellRange[]): string[] {
  const texts = cells.map(cleanHeader);
  for (const { top, bottom, left, right } of merges) {
    if (top !== row || bottom < top || left === right) continue;
    for (let at = left + 1; at <= right && at < left + 200; at += 1) texts[at] ||= texts[left] ?? "";
  }
  return Array.from(texts, (text: string | undefined) => text ?? "");
}

export function distinctHeaders(texts: readonly string[]): string[] {
  const used = new Set(texts);
  const seen = new Set<string>();
  return texts.map((text) => {
    if (text === "" || !seen.has(text)) {
      seen.add(text);
      return text;
    }
    let number = 2;
    while (used.has(`${text} (${number})`)) number += 1;
    used.add(`${text} (${number})`);
    return `${text} (${number})`;
  });
}

export const wordCount = (texts: readonly string[]) => {
  const found = new Set(texts.flatMap((text) => headerMeaning(text)?.column ?? []));
  return { count: found.size, isNamed: found.has("name") || found.has("id") };
};

export const isLikelyHeader = (texts: readonly string[]) => {
  const filled = texts.filter(Boolean);
  const { count, isNamed } = wordCount(texts);
  // A sentence that contains the word is a note, and 이름 as a value is a placeholder.
  return isNamed && (count >= 2 || filled.length === 1) && filled.every((text) => text.length <= 60);
};

export const isNameAmongWords = (texts: readonly string[]) => {
  const filled = texts.filter(Boolean);
  return (
    filled.length >= 2 && wordCount(texts).isNamed && filled.every((text) => text.length <= 30 && !/\d{3}|@/.test(text))
  );
};

/** Prefixes a group's text to a column's text that is ambiguous alone: 자택 + 주소. */
function joinHeaders(parent: string, child: string): string {
  if (child === "" || parent === child) return parent;
  if (parent === "") return child;
  return `${parent} ${child}`;
}

interface HeaderRows {
  first: number;
  last: number;
  texts: string[];
}

const NOTE_MARK = /^(?:[※*☞▶■○●]|주\)|참고|\(?단위)/;

export function headerRowsAt(rows: readonly RawRow[], at: number, merges: readonly CellRange[]): HeaderRows {
  const raw = rows[at] as RawRow;
  const own = spreadTexts(raw, merges);
  const nameAt = own.findIndex((text) => headerMeaning(text)?.column === "name");
  const below = rows[at + 1];
  const childTexts = below ? spreadTexts(below, merges) : [];
  const isBelow =
    below !== undefined &&
    below.row === raw.row + 1 &&
    childTexts.some(Boolean) &&
    childTexts.every((text) => text.length <= 40 && !/[@]|\d{3}/.test(text)) &&
    isPartedBy(own, childTexts, nameAt, raw.row, merges);
  if (isBelow) {
    const width = Math.max(own.length, childTexts.length);
    // A group's text extends over empty columns to its right.
    let group = "";
    const texts = Array.from({ length: width }, (_, column) => {
      const [parent = "", child = ""] = [own[column], childTexts[column]];
      if (parent !== "") group = parent;
      const isSame =
        headerMeaning(parent)?.column !== undefined && headerMeaning(parent)?.column === headerMeaning(child)?.column;
      if (isSame && nameAt >= 0 && wordCount(childTexts).isNamed) return parent;
      return joinHeaders(parent === "" && child !== "" ? group : parent, child);
    });
    return { first: raw.row, last: below.row, texts };
  }
  const above = rows[at - 1];
  const parents = above && above.row === raw.row - 1 ? spreadTexts(above, merges) : [];
  const isGroup =
    new Set(parents.filter(Boolean)).size > 1 &&
    parents.filter(Boolean).every((text) => text.length <= 20 && !NOTE_MARK.test(text));
  if (!isGroup) return { first: raw.row, last: raw.row, texts: own };
  const twice = new Set(own.filter((text, column) => text !== "" && own.indexOf(text) !== column));
  const texts = own.map((text, column) => {
    const parent = parents[column] ?? parents.slice(0, column).findLast(Boolean) ?? "";
    const reach = parents[column] || parents.slice(0, column).findLast(Boolean) || "";
    if (text === "") return parent;
    const isVague = twice.has(text) || headerMeaning(text) === null;
    return isVague ? joinHeaders(reach, text) : text;
  });
  return { first: (above as RawRow).row, last: raw.row, texts };
}

/** Tells a subdividing header row from the first person of the list. */
function isPartedBy(
  own: readonly string[],
  child: readonly string[],
  nameAt: number,
  row: number,
  merges: readonly CellRange[],
): boolean {
  const isMerged = merges.some(({ top, bottom, left, right }) => top === row && (bottom > top || right > left));
  const below = child[nameAt] ?? "";
  if (nameAt >= 0 && below !== "" && headerMeaning(below)?.column !== "name") return false;
  const words = child.filter(Boolean).filter((text) => headerMeaning(text) !== null || isForeignHeader(text)).length;
  if (nameAt >= 0 && below !== "") return words >= 2;
  const filled = child.filter(Boolean).length;
  // Requires each word below a group's text or an empty cell.
  return (
    words * 2 >= filled && (isMerged || wordCount(own).count < wordCount([...own, ...child]).count || words === filled)
  );
}
