import { normaliseUnicode } from "../kernel/text.ts";
import type { RawRow } from "./csv.ts";
import { headerMeaning, isForeignHeader } from "./header-words.ts";
import type { CellRange } from "./sheet-content.ts";

// What a row says that may be a header: its texts, alone or with the row above or below it.

export const cleanHeader = (cell: string) => normaliseUnicode(cell, "NFC").replace(/\s+/g, " ").trim().slice(0, 200);

/** The texts of a row with what merged cells say in every column that they cover. */
export function spreadTexts({ row, cells }: RawRow, merges: readonly CellRange[]): string[] {
  const texts = cells.map(cleanHeader);
  for (const { top, bottom, left, right } of merges) {
    if (top !== row || bottom < top || left === right) continue;
    for (let at = left + 1; at <= right && at < left + 200; at += 1) texts[at] ||= texts[left] ?? "";
  }
  return Array.from(texts, (text: string | undefined) => text ?? "");
}

/** Equal headers are kept apart by a number. */
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
  // A sentence that holds the word is a note, and a person called 이름 is nobody.
  return isNamed && (count >= 2 || filled.length === 1) && filled.every((text) => text.length <= 60);
};

/** Words that nobody knows beside the one for the name. */
export const isNameAmongWords = (texts: readonly string[]) => {
  const filled = texts.filter(Boolean);
  return (
    filled.length >= 2 && wordCount(texts).isNamed && filled.every((text) => text.length <= 30 && !/\d{3}|@/.test(text))
  );
};

/** A group's word before the column's own, where that one alone says too little: 자택 + 주소. */
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

/** The row at `at` with the one above it that groups its columns, or the one below it that parts them. */
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
    // A group's word reaches over the columns to its right that have none of their own.
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

/** Does the row below a header say more about its columns, and not who stands first in the list? */
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
  // Each of its words stands where the row above has a group's word or none.
  return (
    words * 2 >= filled && (isMerged || wordCount(own).count < wordCount([...own, ...child]).count || words === filled)
  );
}
