import { type AlumniColumn, ALUMNI_COLUMNS, ALUMNI_COLUMN_LABELS } from "./columns.ts";
import { type BookColumn, columnLabel, isImportable, type OwnField, withOwnColumns } from "./own-fields.ts";
import { columnByValues, shareOf } from "./column-values.ts";
import {
  cleanHeader,
  distinctHeaders,
  headerRowsAt,
  isLikelyHeader,
  isNameAmongWords,
  spreadTexts,
  wordCount,
} from "./header-rows.ts";
import { headerMeaning, isForeignHeader, isNumberingHeader, normaliseHeader } from "./header-words.ts";
import { invalidInput } from "../kernel/errors.ts";
import { type RawRow, tooLargeFileError, unreadableFileError } from "./csv.ts";
import { ALUMNI_LIMITS } from "../kernel/limits.ts";
import type { CellRange } from "./sheet-content.ts";

/** Matched by the whole word, by a part of it, or by the values only. */
export type ColumnCertainty = "sure" | "likely" | "guess" | "none";

interface ColumnGuess {
  column: AlumniColumn | null;
  certainty: ColumnCertainty;
}

const SAMPLE_ROWS = 60;

const NOTHING: ColumnGuess = { column: null, certainty: "none" };

/** 전화번호 may contain only mobiles, and 연락처 may contain office lines. */
function byHeader(head: string, values: readonly string[]): ColumnGuess & { isLabel: boolean } {
  const found = headerMeaning(head);
  if (!found) return { ...NOTHING, isLabel: false };
  const { column, certainty, isLabel } = found;
  if (isLabel || (column !== "mobile" && column !== "phone")) return { column, certainty, isLabel };
  const other = column === "mobile" ? "phone" : "mobile";
  const swap = (shareOf(other, values) ?? 0) >= 0.7;
  return { column: swap ? other : column, certainty: swap ? "likely" : certainty, isLabel };
}

/** The contract's texts win over synonyms, words over values. */
function guessColumns(heads: readonly string[], samples: readonly (readonly string[])[] = []): ColumnGuess[] {
  const guesses: ColumnGuess[] = heads.map(() => NOTHING);
  const taken = new Set<AlumniColumn>();
  const take = (at: number, { column, certainty }: ColumnGuess) => {
    if (column === null || guesses[at]?.column || taken.has(column)) return;
    guesses[at] = { column, certainty };
    taken.add(column);
  };
  const found = heads.map((head, at) => byHeader(head, samples[at] ?? []));
  for (const [at, guess] of found.entries()) if (guess.isLabel) take(at, guess);
  for (const certainty of ["sure", "likely"])
    for (const [at, guess] of found.entries()) if (guess.certainty === certainty) take(at, guess);
  // 연락처 next to 휴대전화 is the other phone, unless it contains mobiles as well.
  for (const [at, { column }] of found.entries())
    if (column === "mobile" && (shareOf("mobile", samples[at] ?? []) ?? 0) < 0.3)
      take(at, { column: "phone", certainty: "likely" });
  for (const [at, head] of heads.entries()) {
    if (found[at]?.column || isForeignHeader(head) || isNumberingHeader(head)) continue;
    const column = columnByValues(samples[at] ?? []);
    const isTelling = column === "email" || column === "mobile" || column === "id";
    if (head.trim() === "" || isTelling) take(at, { column, certainty: "guess" });
  }
  return guesses;
}

export type ColumnMapping = Record<string, string | null>;

function mappedColumns(
  heads: readonly string[],
  mapping: ColumnMapping,
  own: readonly OwnField[],
): (BookColumn | null)[] {
  const columns: (BookColumn | null)[] = heads.map(() => null);
  const columnOf = (text: string): BookColumn | undefined =>
    ALUMNI_COLUMNS.find((column) => column === text || ALUMNI_COLUMN_LABELS[column] === text) ??
    own.find((field) => isImportable(field) && (field.code === text || field.name === text))?.code;
  const placeOf = (text: string) => {
    const exact = heads.indexOf(text);
    return exact >= 0
      ? exact
      : heads.findIndex((head) => head !== "" && normaliseHeader(head) === normaliseHeader(text));
  };
  for (const [key, value] of Object.entries(mapping)) {
    if (value === null || value === "") continue;
    const [place, column] =
      placeOf(key) >= 0 && columnOf(value) ? [placeOf(key), columnOf(value)] : [placeOf(value), columnOf(key)];
    if (place < 0 || !column) throw invalidInput({ mapping: `‘${key}’ 열을 ‘${value}’에 맞출 수 없습니다.` });
    if (columns.includes(column))
      throw invalidInput({ mapping: `‘${columnLabel(column, own)}’에 두 열을 맞출 수 없습니다.` });
    columns[place] = column;
  }
  return columns;
}

/** Finds a column by its header text or field label; -1 without one. */
export function findColumnIndex(
  heads: readonly string[],
  columns: readonly (BookColumn | null)[],
  wanted: string,
  own: readonly OwnField[] = [],
): number {
  const at = columns.findIndex(
    (column, place) => column !== null && (heads[place] || columnLabel(column, own)) === wanted,
  );
  return at >= 0 ? at : columns.findIndex((column) => column !== null && columnLabel(column, own) === wanted);
}

export interface ImportHeader {
  /** The row in the file, the last one of a header of several rows. */
  row: number;
  texts: string[];
  columns: (BookColumn | null)[];
  sources?: ImportPlace[];
  /** When the file was last saved, if the file records it. */
  savedDate?: string;
}

export interface ImportPlace {
  name: string;
  base: number;
}

export function placeOfRow(sources: readonly ImportPlace[] | undefined, row: number): { name: string; row: number } {
  const source = sources?.findLast(({ base }) => base < row);
  return source ? { name: source.name, row: row - source.base } : { name: "", row };
}

export function rowLabel(sources: readonly ImportPlace[] | undefined, row: number): string {
  const place = placeOfRow(sources, row);
  return place.name === "" ? `${place.row}행` : `${place.name} ${place.row}행`;
}

export interface FoundHeader extends ImportHeader {
  /** Excludes titles above the header. */
  firstRow: number;
  guesses: ColumnGuess[];
  hasHeader: boolean;
}

const HEADER_SEARCH_ROWS = 40;

const UNNAMED_MAX = 20;

const samplesOf = (rows: readonly RawRow[], below: number, width: number): string[][] => {
  const sample = rows.filter(({ row }) => row > below).slice(0, SAMPLE_ROWS);
  return Array.from({ length: width }, (_, at) => sample.map(({ cells }) => cells[at] ?? ""));
};

/** A column without a header may have its only value far below. */
function widthBelow(rows: readonly RawRow[], below: number): number {
  let width = 0;
  for (const { row, cells } of rows) if (row > below && cells.length > width) width = cells.length;
  return width;
}

/** Detects columns by values, given a name, or a contact field and another column. */
function findByValues(rows: readonly RawRow[]): FoundHeader | null {
  const full = rows.filter(({ cells }) => cells.filter((cell) => cell.trim() !== "").length >= 2);
  const first = full[0];
  if (!first) return null;
  const width = Math.min(widthBelow(full, 0), ALUMNI_LIMITS.importColumns);
  const columnsOf = (below: number) => {
    const taken = new Set<AlumniColumn>();
    return samplesOf(full, below, width).map((values): ColumnGuess => {
      const column = columnByValues(values);
      if (column === null || taken.has(column)) return NOTHING;
      taken.add(column);
      return { column, certainty: "guess" };
    });
  };
  // The first row may be a header of unknown words: it then differs from the rows below.
  const guesses = full.length > 1 ? columnsOf(first.row) : columnsOf(first.row - 1);
  const columns = guesses.map(({ column }) => column);
  if (!columns.includes("name")) return null;
  if (columns.filter(Boolean).length < 2) return null;
  const fits = columns.filter((column, at) => column !== null && (shareOf(column, [first.cells[at] ?? ""]) ?? 0) === 1);
  const hasHeader = full.length > 1 && fits.length === 0 && first.cells.every((cell) => cell.length <= 60);
  const texts = Array.from(
    { length: width },
    (_, at) => (hasHeader && cleanHeader(first.cells[at] ?? "")) || `${at + 1}번째 열`,
  );
  const row = hasHeader ? first.row : first.row - 1;
  return { row, firstRow: first.row, texts: distinctHeaders(texts), columns, guesses, hasHeader };
}

function namesMappedColumn(texts: readonly string[], mapping: ColumnMapping): boolean {
  const words = new Set(
    Object.entries(mapping).flatMap(([key, value]) => [normaliseHeader(key), normaliseHeader(value ?? "")]),
  );
  return texts.some((text) => text !== "" && words.has(normaliseHeader(text)));
}

function requireFewColumns(texts: readonly string[]): void {
  const filled = texts.filter(Boolean).length;
  if (filled > ALUMNI_LIMITS.importColumns)
    throw tooLargeFileError(`열이 너무 많습니다(${filled}열). ${ALUMNI_LIMITS.importColumns}열까지 읽을 수 있습니다.`);
}

/**
 * Searches the first forty rows with text. @throws AppError INVALID_INPUT without a header, PAYLOAD_TOO_LARGE for too
 * many columns
 */
export function findImportHeader(
  rows: readonly RawRow[],
  mapping?: ColumnMapping,
  merges: readonly CellRange[] = [],
  own: readonly OwnField[] = [],
): FoundHeader {
  const given = mapping && Object.values(mapping).some(Boolean) ? mapping : undefined;
  const top = rows.slice(0, HEADER_SEARCH_ROWS);
  const isMapped = (texts: readonly string[]) => given !== undefined && namesMappedColumn(texts, given);
  for (const isHead of given ? [isMapped] : [isLikelyHeader, isNameAmongWords])
    for (const [at, raw] of top.entries()) {
      const line = spreadTexts(raw, merges);
      // In a two-row header the name may be in the first and known words in the second.
      const both = headerRowsAt(top, at, merges);
      if (!isHead(line) && !(both.last > raw.row && wordCount(line).isNamed && isHead(both.texts))) continue;
      const width = Math.min(widthBelow(rows, both.last), both.texts.length + UNNAMED_MAX);
      const unnamed = Array.from({ length: Math.max(width - both.texts.length, 0) }, () => "");
      const texts = distinctHeaders([...both.texts, ...unnamed]);
      requireFewColumns(texts);
      const guesses = guessColumns(texts, samplesOf(rows, both.last, texts.length));
      const columns = given
        ? mappedColumns(texts, given, own)
        : withOwnColumns(
            texts,
            guesses.map(({ column }) => column),
            own,
          );
      if (!columns.includes("name") && !columns.includes("id"))
        throw invalidInput({ mapping: "‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다." });
      return { row: both.last, firstRow: both.first, texts, columns, guesses, hasHeader: true };
    }
  const widest = Math.max(0, ...top.map((each) => each.cells.filter(Boolean).length));
  if (widest === 0) throw unreadableFileError("비어 있는 파일입니다.");
  requireFewColumns(Array.from({ length: widest }, () => "-"));
  const found = given ? null : findByValues(rows.slice(0, SAMPLE_ROWS));
  if (found) return found;
  throw unreadableFileError("머리글 행을 찾지 못했습니다. 첫 줄에 ‘이름’, ‘휴대전화’처럼 열의 이름을 적어 주십시오.");
}

/** The name in the template's sample row, which is skipped. */
export const IMPORT_SAMPLE_NAME = "홍길동(예시)";
