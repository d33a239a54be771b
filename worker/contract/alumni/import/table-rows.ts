import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { CellRange, RawRow } from "./sheet-content.ts";
import { headerMeaning, isNumberingHeader } from "./header-words.ts";
import { type FoundHeader, IMPORT_SAMPLE_NAME } from "./header.ts";
import { JoinedNames } from "./joined-names.ts";

export const SET_ASIDE_LABELS = {
  title: "제목",
  subtotal: "합계",
  note: "설명",
  header: "되풀이된 머리글",
  reordered: "차례가 다른 머리글",
  otherHeader: "다른 머리글",
  number: "번호만 있는 행",
  sample: "양식의 예시",
  group: "묶음 제목",
} as const;

export type SetAsideKind = keyof typeof SET_ASIDE_LABELS;

export interface SetAsideRow {
  row: number;
  kind: SetAsideKind;
  text: string;
}

const SUBTOTAL = /^(?:합계|소계|총계|누계|총인원|총원|인원수?|계|total|subtotal|grandtotal|sum)(?:[\d,]*명?)?$/;
const HEAD_COUNT = /^(?:총|모두|합계|계)?\d[\d,]*(?:명|인)$/;
const NOTE =
  /^(?:[※☞▶■○●◎◇*#]|주\)|\(주의|참고[ :]|비고[ :]|안내[ :]|작성자|작성일|출처|문의|담당|이하 ?여백|-{1,20} ?(?:끝|이하)|끝$|이상$|이상입니다|기준일|출력일|인쇄일|page ?\d|\d+ ?\/ ?\d+ ?(?:쪽|페이지)|- ?\d+ ?-$)/i;
const COHORT_GROUP =
  /^[<[(■●○◆▶ ]*(?:제 ?)?(\d{1,3}) ?기(?: ?(?:동문|졸업생|회원|명단|명부))?(?: ?[([][^()[\]]*[)\]])?[ >\]]*$/;
const YEAR_GROUP =
  /^[<[(■●○◆▶ ]*((?:19|20)\d\d) ?(?:년도?|학년도)?(?: ?(?:졸업[생자]?|명단))?(?: ?[([][^()[\]]*[)\]])?[ >\]]*$/;
const SET_ASIDE_KEPT = 500;
const OUTSIDE_KEPT = 100;

const isCount = (text: string) => SUBTOTAL.test(text) || HEAD_COUNT.test(text);
/** A cheap test before the header lookup, which is slow in a list of 50,000. */
const NAME_WORD = /이 ?름|성 ?[명함]|존함|name|^id$/i;

const plain = (text: string) => normaliseUnicode(text, "NFKC").trim();
const word = (text: string) =>
  plain(text)
    .replace(/[\s.:·]/g, "")
    .toLowerCase();

/** Fills merged cells down and sets aside rows that are no people. */
export class TableRows {
  readonly setAside: SetAsideRow[] = [];
  setAsideCount = 0;
  filledDown = 0;
  /** Rows joined to the person above, because one name cell spans both. */
  joined = 0;
  /** Cells to the right of the last column, which are ignored. */
  readonly outside: { row: number; column: number }[] = [];
  outsideCount = 0;
  usedGroups: ("cohort" | "graduationYear")[] = [];
  private readonly names: JoinedNames | null;
  private readonly head: FoundHeader;
  private readonly merges: CellRange[];
  private nextMerge = 0;
  private readonly fill = new Map<number, { bottom: number; text: string }>();
  private readonly nameAt: number;
  private readonly cohortAt: number;
  private readonly yearAt: number;
  private readonly headerKey: string;
  /** Column positions below a repeated header with another order. */
  private order: number[] | null = null;
  /** Values from the title above a group of rows. */
  private group: { cohort: string; year: string } = { cohort: "", year: "" };

  constructor(head: FoundHeader, merges: readonly CellRange[]) {
    this.head = head;
    this.merges = merges.filter(({ bottom }) => bottom > head.row).toSorted((a, b) => a.top - b.top);
    this.nameAt = head.columns.indexOf("name");
    this.cohortAt = head.columns.indexOf("cohort");
    this.yearAt = head.columns.indexOf("graduationYear");
    this.headerKey = keyOf(head.texts);
    this.names = head.nameColumns ? new JoinedNames(head.nameColumns) : null;
  }

  get groupFields(): ("cohort" | "graduationYear")[] {
    return [
      ...(this.cohortAt < 0 ? (["cohort"] as const) : []),
      ...(this.yearAt < 0 ? (["graduationYear"] as const) : []),
    ];
  }

  get facts() {
    const { setAside, setAsideCount, filledDown, joined, outside, outsideCount, names } = this;
    const joinedNames = { count: names?.count ?? 0, sample: names?.sample ?? "" };
    return { setAside, setAsideCount, filledDown, joined, outside, outsideCount, joinedNames };
  }

  /** Yields people with the file's columns, followed by those of `groupFields`. */
  *read(rows: Iterable<RawRow>): Generator<RawRow> {
    for (const raw of this.people(rows)) yield this.names ? { ...raw, cells: this.names.join(raw.cells) } : raw;
  }

  private *people(rows: Iterable<RawRow>): Generator<RawRow> {
    let person: RawRow | null = null;
    for (const { row, cells: given, stored: storedAt } of rows) {
      const raw = this.order === null ? given : inOrder(given, this.order);
      const covered = this.advance(row, raw);
      if (row <= this.head.row) {
        if (row < this.head.firstRow) this.put(row, "title", raw);
        continue;
      }
      if (raw.every((cell) => cell.trim() === "") && covered.length === 0) continue;
      const isSecond = person !== null && this.nameAt >= 0 && covered.includes(this.nameAt);
      const kind = isSecond ? null : this.kindOf(raw);
      if (kind === "header") {
        this.put(row, this.turnTo(given), given);
        continue;
      }
      if (kind) {
        this.put(row, kind, raw);
        continue;
      }
      this.noteOutside(row, raw);
      const cells = this.filled(raw, covered);
      if (person && isSecond) {
        this.joined += 1;
        person = { row: person.row, cells: joinCells(person.cells, cells) };
        continue;
      }
      if (person) yield person;
      const { order } = this;
      const stored =
        order === null ? storedAt : storedAt?.map((at) => ({ ...at, column: order[at.column] ?? at.column }));
      person = { row, cells: this.withGroup(cells), ...(stored ? { stored } : {}) };
    }
    if (person) yield person;
  }

  private put(row: number, kind: SetAsideKind, cells: readonly string[]): void {
    this.setAsideCount += 1;
    if (this.setAside.length >= SET_ASIDE_KEPT) return;
    const text = cells.map(plain).filter(Boolean).join(" ").slice(0, 80);
    this.setAside.push({ row, kind, text });
  }

  private turnTo(cells: readonly string[]): SetAsideKind {
    this.order = null;
    if (keyOf(cells) === this.headerKey) return "header";
    const width = this.head.texts.length;
    const places = cells.map((cell) => (cell.trim() === "" ? -1 : this.placeOf(cell)));
    const known = places.filter((place) => place >= 0);
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    if (known.length < filled || new Set(known).size < filled || cells.length > width || this.merges.length > 0)
      return "otherHeader";
    const free = Array.from({ length: width }, (_, at) => at).filter((at) => !known.includes(at));
    this.order = Array.from({ length: width }, (_, at) => {
      const place = places[at] ?? -1;
      return place >= 0 ? place : (free.shift() ?? at);
    });
    return this.order.every((place, at) => place === at) ? "header" : "reordered";
  }

  private placeOf(text: string): number {
    const same = this.head.texts.findIndex((head) => word(head) === word(text));
    const meaning = headerMeaning(text);
    return same >= 0 || meaning === null ? same : this.head.columns.indexOf(meaning.column);
  }

  private noteOutside(row: number, cells: readonly string[]): void {
    for (let column = this.head.texts.length; column < cells.length; column += 1) {
      if ((cells[column] ?? "").trim() === "") continue;
      this.outsideCount += 1;
      if (this.outside.length < OUTSIDE_KEPT) this.outside.push({ row, column });
    }
  }

  /** @returns the columns covered in this row by a merged cell above */
  private advance(row: number, cells: readonly string[]): number[] {
    for (let merge = this.merges[this.nextMerge]; merge && merge.top <= row; merge = this.merges[this.nextMerge]) {
      this.nextMerge += 1;
      if (merge.bottom <= merge.top || merge.bottom < row) continue;
      const text = merge.top === row ? (cells[merge.left] ?? "") : "";
      this.fill.set(merge.left, { bottom: merge.bottom, text: merge.top <= this.head.row ? "" : text });
    }
    const covered: number[] = [];
    for (const [at, { bottom, text }] of this.fill) {
      if (row > bottom) this.fill.delete(at);
      else if (text !== "" && (cells[at] ?? "") === "") covered.push(at);
    }
    return covered;
  }

  private filled(raw: readonly string[], covered: readonly number[]): string[] {
    const cells = [...raw];
    for (const at of covered) {
      cells[at] = this.fill.get(at)?.text ?? "";
      if (at !== this.nameAt) this.filledDown += 1;
    }
    return Array.from(cells, (text: string | undefined) => text ?? "");
  }

  private withGroup(cells: string[]): string[] {
    const { cohort, year } = this.group;
    if (cohort === "" && year === "") return cells;
    const width = this.head.texts.length;
    const values = this.groupFields.map((field) => (field === "cohort" ? cohort : year));
    return [...Array.from({ length: width }, (_, at) => cells[at] ?? ""), ...values];
  }

  private kindOf(cells: readonly string[]): SetAsideKind | null {
    const filled = cells.flatMap((cell, at) => (cell.trim() === "" ? [] : [at]));
    const name = plain(cells[this.nameAt] ?? "");
    if (name === IMPORT_SAMPLE_NAME) return "sample";
    const isHeaderName = NAME_WORD.test(name);
    if (this.head.hasHeader && (isHeaderName || this.nameAt < 0) && keyOf(cells) === this.headerKey) return "header";
    if (
      isHeaderName &&
      headerMeaning(name)?.column === "name" &&
      filled.length > 1 &&
      filled.every((at) => isHeaderWord(cells[at] ?? ""))
    )
      return "header";
    const first = filled[0] ?? -1;
    const isPerson = name !== "" && !isCount(word(name));
    if (!isPerson && filled.some((at) => isCount(word(cells[at] ?? "")))) return "subtotal";
    if (filled.length === 1) {
      const text = plain(cells[first] ?? "");
      if (this.opensGroup(text)) return "group";
      if (first !== this.nameAt) {
        if (isNumberingHeader(this.head.texts[first] ?? "") && /^\d+$/.test(text)) return "number";
        if (this.nameAt >= 0 && this.head.columns[first] !== "id") return "note";
      }
    }
    if (filled.length <= 3 && NOTE.test(plain(cells[first] ?? ""))) return "note";
    if (first === this.nameAt && filled.length === 1 && name.length > 30) return "note";
    return null;
  }

  /** A row with only 제3기 (12명) applies to everyone below. */
  private opensGroup(cell: string): boolean {
    if (cell.length > 60) return false;
    const text = cell.replace(/\s+/g, " ");
    const cohort = this.cohortAt < 0 ? COHORT_GROUP.exec(text)?.[1] : undefined;
    const year = this.yearAt < 0 ? YEAR_GROUP.exec(text)?.[1] : undefined;
    if (cohort !== undefined) this.openGroup("cohort", { cohort, year: "" });
    else if (year !== undefined) this.openGroup("graduationYear", { cohort: "", year });
    return cohort !== undefined || year !== undefined;
  }

  private openGroup(field: "cohort" | "graduationYear", group: { cohort: string; year: string }): void {
    this.group = group;
    if (!this.usedGroups.includes(field))
      this.usedGroups = this.groupFields.filter((each) => each === field || this.usedGroups.includes(each));
  }
}

function inOrder(cells: readonly string[], order: readonly number[]): string[] {
  const placed: string[] = [];
  for (const [at, text] of cells.entries()) placed[order[at] ?? at] = text;
  return Array.from(placed, (text: string | undefined) => text ?? "");
}

const keyOf = (texts: readonly string[]) =>
  texts
    .map((text) => word(text.replace(/ \(\d+\)$/, "")))
    .join("\n")
    .trimEnd();

const isHeaderWord = (text: string) => headerMeaning(text) !== null || isNumberingHeader(text);

/** Joins a person's two rows by appending the values of the second. */
function joinCells(above: readonly string[], below: readonly string[]): string[] {
  return Array.from({ length: Math.max(above.length, below.length) }, (_, at) => {
    const [first = "", second = ""] = [above[at], below[at]];
    if (second === "" || first.split(", ").includes(second)) return first;
    return first === "" ? second : `${first}, ${second}`;
  });
}
