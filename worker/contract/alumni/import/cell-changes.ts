import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { cleanText, normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { type AlumniField, cellText, fieldKind } from "#worker/contract/alumni/columns.ts";
import { type CellFault, halfWidth } from "#worker/contract/alumni/cell-rules.ts";
import type { BookColumn } from "#worker/contract/alumni/own-fields.ts";
import { isNameMark, type NameMark } from "./name-marks.ts";

/** The rule that changed a cell; found by comparing, so that every change has a label. */
export const CELL_RULE_LABELS = {
  space: "빈칸을 정리한 값",
  lines: "줄바꿈을 정리한 값",
  width: "전각 글자를 반각으로 바꾼 값",
  letters: "풀어 쓴 한글을 모은 값",
  removed: "보이지 않는 글자를 지운 값",
  hyphen: "하이픈을 맞춘 번호",
  zero: "지워진 앞자리 0을 되살린 번호",
  zeros: "엑셀 서식이 더한 0을 뺀 번호",
  country: "국가번호 82를 0으로 바꾼 번호",
  label: "번호 앞의 말을 뗀 값",
  case: "소문자로 바꾼 이메일",
  year: "날짜에서 연도만 남긴 값",
  unit: "숫자만 남긴 값",
  several: "여러 값 가운데 첫 값을 남긴 칸",
  century: "두 자리 연도를 네 자리로 바꾼 값",
  number: "쉼표를 뺀 숫자",
  date: "형식을 맞춘 날짜",
  choice: "목록의 말로 맞춘 값",
  split: "한 칸에서 나누어 넣은 값",
  tail: "저장하지 않고 사람을 찾는 데만 쓴 끝 네 자리",
  death: "작고 표시에서 정한 값",
  title: "직함을 뗀 이름",
  sex: "성별 표시를 뗀 이름",
  inner: "빈칸을 없앤 이름",
  other: "기타 변경",
} as const satisfies Record<string, string> & Record<NameMark, string>;

export type CellRule = keyof typeof CELL_RULE_LABELS;

const digitsOf = (text: string) => text.replace(/\D/g, "");

function numberRule(before: string, after: string): CellRule {
  const [typed, stored] = [digitsOf(before), digitsOf(after)];
  if (/^\D{0,3}82/.test(before) && typed !== stored) return "country";
  if (`0${typed}` === stored) return "zero";
  if (typed === `0${stored}`) return "zeros";
  if (typed !== stored) return "other";
  return /\p{L}/u.test(before) ? "label" : "hyphen";
}

const linesOf = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean);

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The same words, parted into other lines. */
export const isOtherBreak = (before: string, after: string): boolean =>
  before !== after && inOneLine(before) === inOneLine(after) && linesOf(before).length !== linesOf(after).length;

/** A memo is the same whatever the order of its lines, empty ones and spaces around them. */
export const isSameMemo = (a: string, b: string): boolean =>
  linesOf(a).toSorted().join("\n") === linesOf(b).toSorted().join("\n");

/** Adds the lines that the memo does not have. */
export function withMemoLines(memo: string, lines: readonly string[]): string {
  const known = new Set(linesOf(memo));
  const added = lines.flatMap((line) => linesOf(cleanText(line))).filter((line) => !known.has(line) && known.add(line));
  return [...memo.split("\n").filter(Boolean), ...added].join("\n");
}

/** Null when the cell is stored as in the file. */
export function cellRuleOf(field: AlumniField, raw: string, value: string | number | null): CellRule | null {
  const after = cellText(value);
  if (raw === after) return null;
  if (isOtherBreak(raw, after)) return "lines";
  if (raw.replace(/\s+/g, " ").trim() === after || raw.trim() === after) return "space";
  const half = halfWidth(raw).replace(/\s+/g, " ").trim();
  if (half === after) return "width";
  const plain = normaliseUnicode(raw, "NFKC").replace(/\s+/g, " ").trim();
  if (field === "mobile" || field === "phone" || field === "zipCode")
    return plain === after ? "width" : numberRule(plain, after);
  if (field === "email" && plain.replace(/\s/g, "").toLowerCase() === after) return "case";
  const listed = fieldKind(field);
  if (listed) return listed.kind === "date" ? "date" : "choice";
  if (field === "graduationYear") return "year";
  if (field === "cohort") return "unit";
  if (normaliseUnicode(half, "NFC") === after) return "letters";
  return after.length < half.length ? "removed" : "other";
}

export const FAULT_DECISION_LABELS = {
  split: "보이는 것처럼 나누어 넣기",
  blank: "이 칸들은 비우고 가져오기",
  memo: "이 값들을 메모로 옮기기",
  first: "첫 값만 쓰고 나머지는 메모로 옮기기",
  century: "1930~2029년으로 보고 네 자리로 바꾸기",
  tidy: "제안대로 고치기",
  deceased: "표시를 떼고 상태를 ‘작고’로 하기",
  asIs: "적힌 그대로 두기",
} as const;

export type FaultDecision = keyof typeof FAULT_DECISION_LABELS;

export const FAULT_DECISIONS = valuesOf(FAULT_DECISION_LABELS);

export const faultKind = (field: string, fault: CellFault) => `${field}.${fault}`;

/** Excludes skipping or correcting the rows, which is always possible. */
export function faultDecisions(field: BookColumn, fault: CellFault): FaultDecision[] {
  if (isNameMark(fault)) return [fault === "death" ? "deceased" : "tidy", "asIs"];
  if (field === "id" || field === "name") return [];
  if (fault === "resident" || fault === "formula" || fault === "noResult") return ["blank"];
  if (fault === "missing") return [];
  const move: FaultDecision[] = field === "memo" ? ["blank"] : ["memo", "blank"];
  if (fault === "several") return ["first", ...move];
  if (fault === "mixed") return ["split", ...move];
  return fault === "shortYear" ? ["century", ...move] : move;
}

/** The effect of an empty cell on a filled field. */
export const EMPTIED_CHOICES = ["byId", "keep", "clear"] as const;

export type EmptiedChoice = (typeof EMPTIED_CHOICES)[number];

/** The effect on a value that was confirmed after the file was saved. */
export const CONFIRMED_CHOICES = ["keep", "take"] as const;

export type ConfirmedChoice = (typeof CONFIRMED_CHOICES)[number];

export interface ImportOptions {
  confirmed: ConfirmedChoice;
  /** `byId`: a row matched by ID empties the field, one matched by name does not. */
  emptied: EmptiedChoice;
  decisions: Record<string, FaultDecision>;
  /** People whose final state or refusal the file may end. */
  ended: string[];
  /** Chosen states of people who were in the last file of the form and are not in this one, by id. */
  missing: Record<string, string>;
}

export const HIDDEN_ANSWERS = ["take", "leave"] as const;

/** Null until the question about hidden content is answered. */
export type HiddenAnswer = (typeof HIDDEN_ANSWERS)[number] | null;

/** Remembered with the columns for the next file of the same form. */
export interface FormAnswers extends Pick<ImportOptions, "emptied" | "decisions"> {
  /** Whether a sheet is read, by its name without years. */
  sheets: Record<string, boolean>;
  hidden: { rows: HiddenAnswer; columns: HiddenAnswer };
}

export interface StoredAnswers extends FormAnswers {
  /** Decisions about marks in names. */
  marks?: FormAnswers["decisions"];
}

export const DEFAULT_IMPORT_OPTIONS: ImportOptions = {
  confirmed: "keep",
  emptied: "byId",
  decisions: {},
  ended: [],
  missing: {},
};
