import { ALUMNI_COLUMN_LABELS, ALUMNI_COLUMNS, type AlumniColumn } from "#worker/contract/alumni/columns.ts";
import { isKoreanName } from "#worker/contract/alumni/korean-name.ts";
import {
  type BookColumn,
  columnLabel,
  isImportable,
  type OwnField,
  withOwnColumns,
} from "#worker/contract/alumni/own-fields.ts";
import {
  cleanHeader,
  distinctHeaders,
  headerMeaning,
  type HeaderRows,
  headerRowsAt,
  isForeignHeader,
  isLikelyHeader,
  isNameAmongWords,
  isNumberingHeader,
  type NameColumns,
  nameColumnsIn,
  normaliseHeader,
  spreadTexts,
  wordCount,
} from "./header-words.ts";
import { isSexColumn } from "./joined-names.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { type CellRange, type RawRow, tooLargeFileError, unreadableFileError } from "./sheet-content.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";

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

function mappedColumns(heads: readonly string[], mapping: ColumnMapping, own: readonly OwnField[]) {
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
  /** Columns that are joined into the one of the given name. */
  nameColumns?: NameColumns;
}

/** Headers that a person pointed at: by row, or by the texts of an earlier file. */
export interface PointedHeader {
  row?: number | undefined;
  known?: ReadonlySet<string> | undefined;
}

/** Equal for two files of the same form: without years and trailing columns that have no header. */
export const formKey = (heads: readonly string[]) =>
  heads
    .map((head) => normaliseHeader(head).replace(/(?:19|20)\d\d/, "0000"))
    .join("\n")
    .trimEnd();

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

/** Family and given name in two columns, unless a third one holds the whole name. */
function joinableColumns(texts: readonly string[], samples: readonly (readonly string[])[]): NameColumns | null {
  const places = nameColumnsIn(texts);
  if (!places || isSexColumn(samples[places.family] ?? [])) return null;
  const hasWhole = texts.some((text, at) => at !== places.given && headerMeaning(text)?.column === "name");
  return hasWhole ? null : places;
}

function withJoinedName(guesses: ColumnGuess[], texts: readonly string[], places: NameColumns | null): ColumnGuess[] {
  if (!places) return guesses;
  const parts: readonly number[] = Object.values(places);
  const heads = texts.map(normaliseHeader);
  // Outlook's Title is that of the name, as the job has a column of its own.
  const jobAt = heads.indexOf("jobtitle");
  return guesses.map((guess, at) => {
    if (at === places.given) return { column: "name", certainty: "likely" };
    if (jobAt >= 0 && heads[at] === "title") return NOTHING;
    if (at === jobAt) return { column: "position", certainty: "sure" };
    return parts.includes(at) || guess.column === "name" ? NOTHING : guess;
  });
}

function namesMappedColumn(texts: readonly string[], mapping: ColumnMapping): boolean {
  const words = new Set(
    Object.entries(mapping).flatMap(([key, value]) => [normaliseHeader(key), normaliseHeader(value ?? "")]),
  );
  return texts.some((text) => text !== "" && words.has(normaliseHeader(text)));
}

export const unnamedColumns = () => invalidInput({ mapping: "‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다." });

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
  pointed: PointedHeader = {},
): FoundHeader {
  const given = mapping && Object.values(mapping).some(Boolean) ? mapping : undefined;
  const headerOf = ({ first, last, texts: found }: HeaderRows): FoundHeader => {
    const width = Math.min(widthBelow(rows, last), found.length + UNNAMED_MAX);
    const unnamed = Array.from({ length: Math.max(width - found.length, 0) }, () => "");
    const texts = distinctHeaders([...found, ...unnamed]);
    requireFewColumns(texts);
    const samples = samplesOf(rows, last, texts.length);
    const nameColumns = given ? null : joinableColumns(texts, samples);
    const guesses = withJoinedName(guessColumns(texts, samples), texts, nameColumns);
    const columns = given
      ? mappedColumns(texts, given, own)
      : withOwnColumns(
          texts,
          guesses.map(({ column }) => column),
          own,
        );
    const head = { row: last, firstRow: first, texts, columns, guesses, hasHeader: true };
    return nameColumns ? { ...head, nameColumns } : head;
  };
  if (pointed.row !== undefined) {
    const at = rows.findIndex(({ row }) => row === pointed.row);
    if (at < 0) throw invalidInput({ headRow: "파일에 없거나 비어 있는 행입니다." });
    return headerOf(headerRowsAt(rows, at, merges, true));
  }
  const top = rows.slice(0, HEADER_SEARCH_ROWS);
  if (!given && pointed.known && pointed.known.size > 0)
    for (const at of top.keys())
      for (const isLast of [false, true]) {
        const found = headerRowsAt(top, at, merges, isLast);
        if (pointed.known.has(formKey(distinctHeaders(found.texts)))) return headerOf(found);
      }
  const isMapped = (texts: readonly string[]) => given !== undefined && namesMappedColumn(texts, given);
  for (const isHead of given ? [isMapped] : [isLikelyHeader, isNameAmongWords])
    for (const [at, raw] of top.entries()) {
      const line = spreadTexts(raw, merges);
      // In a two-row header the name may be in the first and known words in the second.
      const both = headerRowsAt(top, at, merges);
      if (!isHead(line) && !(both.last > raw.row && wordCount(line).isNamed && isHead(both.texts))) continue;
      const found = headerOf(both);
      if (!found.columns.includes("name") && !found.columns.includes("id")) throw unnamedColumns();
      return found;
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

const NO_NAME =
  /(?:과|과장|부장|실장|팀장|원장|교수|강사|의사|약사|전임|전문의|전공의|병원|의원|센터|대학|학교|지사|본부|기업|은행)$/;

const isPersonName = (text: string) => isKoreanName(text) && !NO_NAME.test(text.replace(/\s/g, ""));

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Ordered: the first test that most values pass wins. */
const VALUE_TESTS: readonly (readonly [column: AlumniColumn, test: (text: string) => boolean, share: number])[] = [
  ["id", (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text), 0.9],
  ["email", (text) => /^[^\s@]+@[^\s@]+$/.test(text), 0.7],
  ["mobile", (text) => /^(?:\+?82)?0?1[016789]\d{7,8}$/.test(digitsOf(text)) && /^[\d\s+().-]+$/.test(text), 0.7],
  ["phone", (text) => /^0(?:2|[3-6]\d|70)\d{7,8}$/.test(digitsOf(text)) && /^[\d\s+().~-]+$/.test(text), 0.7],
  ["zipCode", (text) => /^\d{5}$|^\d{3}-\d{3}$/.test(text), 0.8],
  ["graduationYear", (text) => /^(?:19[4-9]|20[0-4])\d(?:년|$|[-./]\d{1,2}(?:[-./]\d{1,2})?$)/.test(text), 0.8],
  ["cohort", (text) => /^제?\s?\d{1,3}\s?기$/.test(text), 0.8],
  [
    "address",
    (text) => /[가-힣](?:시|도|구|군) /.test(text) && /(?:[로길동읍면리가] ?\d|번지|아파트|빌딩)/.test(text),
    0.6,
  ],
  ["name", isPersonName, 0.7],
  [
    "affiliation",
    (text) =>
      /(?:병원|의원|대학교?|의료원|센터|보건소|클리닉|한의원|약국|연구[소원]|주식회사|공단|재단|학교|의대)$|㈜|\(주\)/.test(
        text,
      ),
    0.6,
  ],
  ["department", (text) => /^[가-힣]{1,8}(?:과|학교실|팀|부|실)$/.test(text), 0.7],
  [
    "position",
    (text) =>
      /^(?:[가-힣]{0,4}(?:교수|원장|과장|부장|실장|팀장|센터장|이사장|이사|대표|강사|전문의|전공의|의사|회장|차장|대리|사원|간호사|약사|연구원))$/.test(
        text,
      ),
    0.7,
  ],
];

const sampleOf = (values: readonly string[]) =>
  values.flatMap((value) => {
    const text = value.length > 300 ? "" : normaliseUnicode(value, "NFKC").replace(/\s+/g, " ").trim();
    return text === "" ? [] : [text];
  });

/** From 0 to 1; null for a column without a test. */
function shareOf(column: AlumniColumn, values: readonly string[]): number | null {
  const test = VALUE_TESTS.find(([each]) => each === column)?.[1];
  const sample = sampleOf(values);
  if (!test || sample.length === 0) return null;
  return sample.filter((text) => test(text)).length / sample.length;
}

function columnByValues(values: readonly string[]): AlumniColumn | null {
  const sample = sampleOf(values);
  if (sample.length === 0) return null;
  for (const [column, test, share] of VALUE_TESTS) {
    if (sample.filter((text) => test(text)).length < sample.length * share) continue;
    // A few repeated words are no names.
    if (column === "name" && sample.length > 4 && new Set(sample).size < sample.length * 0.6) continue;
    return column;
  }
  return null;
}
