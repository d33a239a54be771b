import { lookUp, valuesOf } from "#worker/contract/kernel/labels.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { holdsResidentNumber, maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import { NO_RESULT, type RawRow, type SheetContent } from "./sheet-content.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import type { BookColumn } from "#worker/contract/alumni/own-fields.ts";
import {
  type ColumnCertainty,
  findImportHeader,
  type FoundHeader,
  type ImportHeader,
  type PointedHeader,
} from "./header.ts";
import { cellName } from "./shown-cells.ts";
import { SET_ASIDE_LABELS, type SetAsideKind, type SetAsideRow, TableRows } from "./table-rows.ts";

interface ContextValue {
  field: "cohort" | "graduationYear";
  value: string;
  from: "sheet" | "title" | "file";
  text: string;
}

export interface PeopleTable {
  sheet: string;
  isHidden: boolean;
  /** From 1; without a header, the row above the first person. */
  headerRows: [first: number, last: number];
  hasHeader: boolean;
  heads: string[];
  columns: (BookColumn | null)[];
  certainty: ColumnCertainty[];
  rows: RawRow[];
  setAside: SetAsideRow[];
  setAsideCount: number;
  filledDown: number;
  joined: number;
  /** Names in two columns. */
  joinedNames: { count: number; sample: string };
  /** Columns whose values are part of the name. */
  namePartColumns: number[];
  /** Cells to the right of the last column. */
  outside: { row: number; column: number }[];
  outsideCount: number;
  hiddenRows: number[];
  hiddenColumns: number[];
  noResults: { row: number; column: number }[];
  residentNumbers: { column: number; count: number; sample: string }[];
  contextValues: ContextValue[];
  /** A word such as 탈퇴 or 작고 in the names and titles; the sheet is not ticked at first. */
  leaving: string | null;
  top: RawRow[];
  savedDate?: string;
}

export interface PassedSheet {
  sheet: string;
  isHidden: boolean;
  reason: string;
  /** The first rows, shortened, to point at the header. */
  top: RawRow[];
}

const TOP = { rows: 200, cells: 12, characters: 40 };

const topOf = ({ rows }: SheetContent): RawRow[] =>
  rows.slice(0, TOP.rows).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, TOP.cells).map((text) => maskedCell(text).slice(0, TOP.characters)),
  }));

const LEAVING =
  /탈퇴|탈회|퇴회|작고|별세|사망|고인 ?(?:명단|회원|동문|$)|영면|삭제|제명|제적|자격 ?상실|휴지통|폐기|중복|제외|미사용|연락 ?두절|deleted|removed|withdrawn|deceased/i;
/** 탈퇴자 제외 means the others. */
const WITHOUT_LEAVING =
  /(?:탈퇴|탈회|퇴회|작고|별세|사망|고인|삭제|제명|제적|중복|연락 ?두절)[가-힣·,/ ]{0,20}(?:제외|빼고|뺀|미포함|없음|없는)/g;

const leavingWord = (texts: readonly string[]): string | null =>
  texts.flatMap((text) => LEAVING.exec(normaliseUnicode(text, "NFKC").replace(WITHOUT_LEAVING, ""))?.[0] ?? [])[0] ??
  null;

const GUIDE_NAME =
  /안내|요령|작성방법|작성법|작성예|예시|설명|코드표?$|코드목록|기준표|목록값|guide|readme|help|표지|목차|변경이력|통계|현황표?$|집계|요약/i;

const contextOf = (text: string, from: ContextValue["from"]): ContextValue[] => {
  const plain = normaliseUnicode(text, "NFKC").slice(0, 200);
  const cohort = /(?:^|[^\d~-])제?\s?(\d{1,3})\s?기(?![가-힣]|\s?[~-])/.exec(
    plain.replace(/기(?=동문|명단|명부|졸업|회원|수료)/, "기 "),
  )?.[1];
  const year = /((?:19|20)\d{2})\s?(?:년도?|학년도)?\s?_?\s?졸업/.exec(plain)?.[1];
  return [
    ...(cohort === undefined ? [] : [{ field: "cohort" as const, value: cohort, from, text: plain.trim() }]),
    ...(year === undefined ? [] : [{ field: "graduationYear" as const, value: year, from, text: plain.trim() }]),
  ];
};

type GroupField = ContextValue["field"];

export const groupHeaderText = (field: GroupField) => `${ALUMNI_COLUMN_LABELS[field]}(묶음 제목)`;

/** Drops the group columns that no title filled. */
export function keepUsedGroups(
  rows: readonly RawRow[],
  width: number,
  fields: readonly GroupField[],
  used: readonly GroupField[],
): void {
  const places = fields.flatMap((field, at) => (used.includes(field) ? [width + at] : []));
  for (const { cells } of rows)
    if (cells.length > width) cells.splice(width, cells.length, ...places.map((at) => cells[at] ?? ""));
}

export function unusedColumnSentences(
  { texts, columns }: Pick<ImportHeader, "texts" | "columns">,
  parts: readonly number[],
): string[] {
  const unused = texts.filter((text, at) => text !== "" && columns[at] === null && !parts.includes(at));
  return unused.length === 0
    ? []
    : [`쓰지 않는 열이 ${unused.length}개 있습니다: ${unused.map((text) => `‘${text}’`).join(", ")}`];
}

export class CellMarks {
  private readonly noResults: PeopleTable["noResults"] = [];
  private readonly residents = new Map<number, { count: number; sample: string }>();

  add({ row, cells }: RawRow): void {
    for (const [column, text] of cells.entries()) {
      if (text === NO_RESULT) this.noResults.push({ row, column });
      else if (holdsResidentNumber(text)) {
        const { count = 0, sample = `${cellName(row, column)} ‘${maskedCell(text).slice(0, 40)}’` } =
          this.residents.get(column) ?? {};
        this.residents.set(column, { count: count + 1, sample });
      }
    }
  }

  get facts(): Pick<PeopleTable, "noResults" | "residentNumbers"> {
    const residentNumbers = [...this.residents].map(([column, found]) => ({ column, ...found }));
    return { noResults: this.noResults, residentNumbers };
  }
}

export const namePartsOf = ({ nameColumns }: FoundHeader): number[] =>
  nameColumns ? Object.values(nameColumns).filter((at) => at >= 0 && at !== nameColumns.given) : [];

/** @throws AppError INVALID_INPUT if no table of people is found */
function findPeopleTable(content: SheetContent, fileName: string, pointed: PointedHeader): PeopleTable {
  const head = findImportHeader(content.rows, undefined, content.merges, [], pointed);
  const reader = new TableRows(head, content.merges);
  const rows = [...reader.read(content.rows)];
  const groups = reader.usedGroups;
  keepUsedGroups(rows, head.texts.length, reader.groupFields, groups);
  const hidden = new Set(content.hiddenRows);
  const titles = reader.setAside.filter(({ kind }) => kind === "title").map(({ text }) => text);
  const known: readonly (BookColumn | null)[] = [...head.columns, ...groups];
  const bareName = fileName.replace(/\.[^.]*$/, "");
  const said = reader.setAside.filter(({ kind }) => kind === "title" || kind === "group");
  const found = [
    ...contextOf(content.name, "sheet"),
    ...titles.flatMap((text) => contextOf(text, "title")),
    ...contextOf(bareName, "file"),
  ].filter(({ field }) => !known.includes(field));
  const contextValues = found.filter(({ field }, at) => found.findIndex((each) => each.field === field) === at);
  const marks = new CellMarks();
  for (const raw of rows) marks.add(raw);
  return {
    sheet: content.name,
    isHidden: content.isHidden,
    headerRows: [head.firstRow, head.row],
    hasHeader: head.hasHeader,
    heads: [...head.texts, ...groups.map((field) => groupHeaderText(field))],
    columns: [...known],
    certainty: [...head.guesses.map(({ certainty }) => certainty), ...groups.map(() => "likely" as const)],
    rows,
    ...reader.facts,
    namePartColumns: namePartsOf(head),
    hiddenRows: rows.flatMap(({ row }) => (hidden.has(row) ? [row] : [])),
    hiddenColumns: content.hiddenColumns.filter((at) => rows.some(({ cells }) => (cells[at] ?? "") !== "")),
    ...marks.facts,
    contextValues,
    leaving: leavingWord([content.name, bareName, ...said.map(({ text }) => text)]),
    top: topOf(content),
    ...(content.savedDate ? { savedDate: content.savedDate } : {}),
  };
}

export interface PeopleBook {
  tables: PeopleTable[];
  passed: PassedSheet[];
}

export interface ReadingChoices {
  /** The header's row by sheet, where someone pointed at it. */
  headRows?: Readonly<Record<string, number>>;
  known?: ReadonlySet<string>;
  /** Returns a file without a readable sheet too, so that its header can be pointed at. */
  keepsUnread?: boolean;
}

/** Skips and names sheets without people. @throws AppError the first sheet's error, when none has people */
export function findPeople(
  sheets: readonly SheetContent[],
  fileName: string,
  { headRows = {}, known, keepsUnread = false }: ReadingChoices = {},
): PeopleBook {
  const tables: PeopleTable[] = [];
  const passed: PassedSheet[] = [];
  let fault: AppError | null = null;
  for (const content of sheets) {
    const { name: sheet, isHidden } = content;
    const pass = (reason: string) => passed.push({ sheet, isHidden, reason, top: topOf(content) });
    try {
      const table = findPeopleTable(content, fileName, { row: lookUp(headRows, sheet), known });
      if (table.rows.length === 0) pass("머리글 아래에 사람이 없습니다.");
      else tables.push(table);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!isHidden) fault ??= error;
      pass(error.message);
    }
  }
  // A guide sheet has a header and few sample rows.
  const others = tables.filter(({ sheet }) => Object.hasOwn(headRows, sheet) || !GUIDE_NAME.test(sheet));
  if (others.length === 0 || others.length === tables.length) {
    // A file of too many columns or without a line has no header to point at.
    const isPointable = fault?.code !== "PAYLOAD_TOO_LARGE" && passed.some(({ top }) => top.length > 0);
    if (tables.length === 0 && fault !== null && !(keepsUnread && isPointable)) throw fault;
    return { tables, passed };
  }
  for (const { sheet, isHidden, top } of tables.filter((table) => !others.includes(table)))
    passed.push({ sheet, isHidden, top, reason: "이름으로 보아 안내나 집계 시트입니다." });
  return { tables: others, passed };
}

const CONTEXT_LABELS: Record<ContextValue["from"], string> = {
  sheet: "시트 이름",
  title: "표 위의 제목",
  file: "파일 이름",
};

const READ_BELOW: Partial<Record<SetAsideKind, string>> = {
  reordered: "그 아래는 그 차례로 읽었습니다.",
  otherHeader: "그 아래도 첫 머리글의 열로 읽었으니 확인해 주십시오.",
};

const listed = (texts: readonly string[], max = 5) =>
  texts.slice(0, max).join(", ") + (texts.length > max ? ` 외 ${texts.length - max}` : "");

type TableFacts = Omit<
  PeopleTable,
  "sheet" | "isHidden" | "columns" | "certainty" | "rows" | "savedDate" | "leaving" | "top" | "namePartColumns"
> & { count: number };

export function tableSentences(table: TableFacts): string[] {
  const { headerRows, hasHeader, heads, setAside, count: people } = table;
  const [first, last] = headerRows;
  const sentences: string[] = [];
  if (!hasHeader) sentences.push("머리글이 없어 값을 보고 열을 짐작했습니다. 첫 행부터 사람으로 읽었습니다.");
  else if (first === last) sentences.push(`머리글은 ${last}행입니다.`);
  else sentences.push(`머리글은 ${first}~${last}행입니다. 한 줄로 이어 읽었습니다.`);
  for (const kind of valuesOf(SET_ASIDE_LABELS)) {
    const found = setAside.filter((each) => each.kind === kind);
    if (found.length === 0) continue;
    const texts = listed(
      found.map(({ row, text }) => `${row}행 ‘${text}’`),
      3,
    );
    const how = READ_BELOW[kind];
    sentences.push(`${SET_ASIDE_LABELS[kind]} ${found.length}행을 뺐습니다: ${texts}${how ? `. ${how}` : ""}`);
  }
  const unnamed = table.setAsideCount - setAside.length;
  if (unnamed > 0) sentences.push(`${(setAside.at(-1)?.row ?? 0) + 1}행부터 뺀 행이 ${unnamed}행 더 있습니다.`);
  if (table.filledDown > 0) sentences.push(`병합된 칸의 값을 아래 ${table.filledDown}칸에 채웠습니다.`);
  if (table.joined > 0) sentences.push(`이름이 병합된 ${table.joined}행을 윗사람의 행에 합쳤습니다.`);
  if (table.joinedNames.count > 0)
    sentences.push(
      `성과 이름 열을 이어 이름으로 읽었습니다(${table.joinedNames.count}명): ${table.joinedNames.sample}`,
    );
  const twice = heads.filter((text) => / \(\d+\)$/.test(text) && heads.includes(text.replace(/ \(\d+\)$/, "")));
  if (twice.length > 0)
    sentences.push(`같은 머리글을 번호로 나누었습니다: ${listed(twice.map((text) => `‘${text}’`))}`);
  if (table.hiddenRows.length > 0)
    sentences.push(
      table.hiddenRows.length === people
        ? `모든 행이 숨겨져 있습니다(${people}명).`
        : `숨긴 행이 ${table.hiddenRows.length}행 있습니다: ${listed(table.hiddenRows.map((row) => `${row}행`))}`,
    );
  if (table.outsideCount > 0)
    sentences.push(
      `열의 오른쪽 밖에 있어 읽지 않는 값이 ${table.outsideCount}칸 있습니다: ${listed(table.outside.map(({ row, column }) => cellName(row, column)))}`,
    );
  if (table.hiddenColumns.length > 0)
    sentences.push(`숨긴 열이 있습니다: ${listed(table.hiddenColumns.map((at) => `‘${heads[at] ?? ""}’`))}`);
  if (table.noResults.length > 0)
    sentences.push(
      `결과가 저장되지 않은 수식이 ${table.noResults.length}칸 있습니다: ${listed(table.noResults.map(({ row, column }) => cellName(row, column)))}`,
    );
  for (const { column, count, sample } of table.residentNumbers)
    sentences.push(
      `‘${heads[column] ?? ""}’ 열에 주민등록번호로 보이는 값이 ${count}칸 있습니다. 저장할 수 없습니다: ${sample}`,
    );
  for (const { field, value, from, text } of table.contextValues)
    sentences.push(`${CONTEXT_LABELS[from]} ‘${text}’에서 찾은 값: ${ALUMNI_COLUMN_LABELS[field]} ${value}`);
  return sentences;
}

export const peopleTableSentences = (table: PeopleTable) => tableSentences({ ...table, count: table.rows.length });
