import { cleanLine, normaliseUnicode } from "../kernel/text.ts";
import { residentNumberMessage } from "../kernel/resident-number.ts";
import { type CellRule, cellRuleOf } from "./import/cell-changes.ts";
import { type CellResult, cleanCell, holdsResidentNumber } from "./cell-rules.ts";
import {
  hasChoices,
  type OwnField,
  type OwnFieldKind,
  OWN_FIELD_LIMITS,
  type OwnValue,
  ownValueText,
} from "./own-fields.ts";

// Parses values of own fields by kind; rewrites only unambiguous ones.

const valid = (value: OwnValue): CellResult<OwnValue> => ({ value });

const invalid = (error: string, fault: "format" | "twoWays" | "choice" | "resident" = "format") => ({ error, fault });

const plainText = (raw: string) => cleanLine(normaliseUnicode(raw, "NFKC"));

const fold = (text: string) => plainText(text).replace(/\s/g, "").toLowerCase();

const NUMBER_FAULT = "숫자로 입력해 주십시오. 단위는 적지 않습니다.";

/** Refuses text whose digits a number would lose: leading zeros or too many digits. */
function parseOwnNumber(text: string): CellResult<OwnValue> {
  const digits = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  if (!/^[+-]?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(digits)) return invalid(NUMBER_FAULT);
  return digits.replace(/[^\d]/g, "").length > 15 ? invalid(NUMBER_FAULT) : valid(Number(digits));
}

const DATE_FAULT = "날짜로 입력해 주십시오. 예: 2004-02-25";

function dayOf(year: number, month: number, day: number): CellResult<OwnValue> {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1000 ? valid(date.toISOString().slice(0, 10)) : invalid(DATE_FAULT);
}

/** 2004-02-25, 2004.2.25., 2004년 2월 25일, 20040225, 25/02/2004; refuses ambiguous dates. */
function parseOwnDate(text: string): CellResult<OwnValue> {
  const plain = text.replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, "");
  const parts =
    /^(\d{4}) ?(?:[-./]|년) ?(\d{1,2}) ?(?:[-./]|월) ?(\d{1,2}) ?[.일]?$/.exec(plain) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  if (parts) return dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const last = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})$/.exec(plain);
  if (last) {
    const [first, second, year] = last.slice(1).map(Number) as [number, number, number];
    if (first <= 12 && second <= 12 && first !== second)
      return invalid("두 가지로 읽히는 날짜입니다. 2004-02-25처럼 입력해 주십시오.", "twoWays");
    return first > 12 ? dayOf(year, second, first) : dayOf(year, first, second);
  }
  if (/^['’]?\d{2}[-./]\d{1,2}[-./]\d{1,2}$/.test(plain))
    return invalid("두 가지로 읽히는 날짜입니다. 연도를 네 자리로 입력해 주십시오.", "twoWays");
  return invalid(DATE_FAULT);
}

export const YES = "예";
export const NO = "아니요";
const YES_WORDS = new Set("예 네 y yes o ○ ◯ 유 있음 함 참 true t 1 v ✓ ✔ ☑ ■ ●".split(" "));
const NO_WORDS = new Set("아니요 아니오 아니 n no x × ✕ ✗ 무 없음 안함 거짓 false f 0 - ☐ □".split(" "));

function parseYesNo(text: string): CellResult<OwnValue> {
  const word = fold(text);
  if (YES_WORDS.has(word)) return valid(YES);
  return NO_WORDS.has(word) ? valid(NO) : invalid("‘예’나 ‘아니요’로 입력해 주십시오.", "choice");
}

const choiceFault = (text: string) =>
  invalid(`목록에 없는 값입니다: ${text.slice(0, OWN_FIELD_LIMITS.choice)}`, "choice");

const findChoice = (choices: readonly string[], text: string) =>
  choices.find((choice) => choice === text.trim()) ?? choices.find((choice) => fold(choice) === fold(text));

function parseChoices(choices: readonly string[], text: string): CellResult<OwnValue> {
  const whole = findChoice(choices, text);
  if (whole) return valid([whole]);
  for (const signs of [/[,;\n]/, /[,;\n/·|]/]) {
    const parts = text
      .split(signs)
      .map((part) => part.trim())
      .filter(Boolean);
    const found = parts.map((part) => findChoice(choices, part));
    if (found.every((choice) => choice !== undefined)) return valid(choices.filter((choice) => found.includes(choice)));
  }
  const unknown = text.split(/[,;\n]/).find((part) => part.trim() !== "" && !findChoice(choices, part));
  return choiceFault(unknown?.trim() ?? text);
}

const CELL_FIELDS = { text: "memo", phone: "phone", email: "email", address: "address" } as const;

const isCellKind = (kind: OwnFieldKind): kind is keyof typeof CELL_FIELDS => kind in CELL_FIELDS;

/** Returns the stored value, empty for none, or the Korean reason for refusal. */
export function cleanOwnValue(
  { kind, choices }: Pick<OwnField, "kind" | "choices">,
  raw: string,
): CellResult<OwnValue> {
  if (kind === "file")
    return raw.trim() === "" ? valid("") : invalid("파일은 이름으로 넣을 수 없습니다. 파일을 올려 주십시오.");
  if (isCellKind(kind)) return cleanCell(CELL_FIELDS[kind], raw);
  const text = kind === "choices" ? raw.trim() : plainText(raw);
  if (text === "") return valid("");
  if (holdsResidentNumber(text)) return invalid(residentNumberMessage(text), "resident");
  if (kind === "number") return parseOwnNumber(text);
  if (kind === "date") return parseOwnDate(text);
  if (kind === "yesNo") return parseYesNo(text);
  if (kind === "choices") return parseChoices(choices, text);
  const choice = findChoice(choices, text);
  return choice ? valid(choice) : choiceFault(text);
}

/** Null when the cell is stored as in the file. */
export function ownCellRule({ kind }: Pick<OwnField, "kind">, raw: string, value: OwnValue): CellRule | null {
  const after = ownValueText(value);
  if (isCellKind(kind)) return cellRuleOf(CELL_FIELDS[kind], raw, after);
  if (raw === after) return null;
  if (raw.replace(/\s+/g, " ").trim() === after) return "space";
  if (plainText(raw) === after) return "width";
  if (kind === "number") return "number";
  return kind === "date" ? "date" : "choice";
}

const GUESS_CHOICES_MAX = 12;

interface GuessedField {
  kind: OwnFieldKind;
  choices: string[];
}

export function guessOwnField(values: readonly string[]): GuessedField {
  const filled = values.map((value) => value.trim()).filter(Boolean);
  const distinct = [...new Set(filled)];
  const fits = (kind: OwnFieldKind) =>
    filled.length > 0 && filled.every((value) => "value" in cleanOwnValue({ kind, choices: [] }, value));
  const plain = (kind: OwnFieldKind): GuessedField => ({ kind, choices: [] });
  const isWord = (text: string) => /\p{L}|[○×]/u.test(text);
  if (distinct.length <= 2 && distinct.some(isWord) && fits("yesNo")) return plain("yesNo");
  for (const kind of ["date", "number", "email", "phone"] as const) if (fits(kind)) return plain(kind);
  const isList =
    distinct.length > 0 &&
    distinct.length <= GUESS_CHOICES_MAX &&
    filled.length >= distinct.length * 3 &&
    distinct.every((text) => isChoiceText(text));
  return isList ? { kind: "choice", choices: distinct.map((text) => cleanLine(text)) } : plain("text");
}

/** Commas separate chosen values. */
export const isChoiceText = (text: string) => text.length <= OWN_FIELD_LIMITS.choice && !/[,;\n]/.test(text);

export const needsChoices = ({ kind, choices }: Pick<OwnField, "kind" | "choices">) =>
  hasChoices(kind) && choices.length === 0;
