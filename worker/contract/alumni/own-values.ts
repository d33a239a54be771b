import { cleanLine } from "../kernel/text.ts";
import {
  CHOICE_LENGTH,
  foldValue,
  invalid,
  type OwnFieldResult,
  plainText,
  readChoice,
  readChoices,
  readDate,
} from "../account/own-field.ts";
import { residentNumberMessage } from "../kernel/resident-number.ts";
import { type CellRule, cellRuleOf } from "./import/cell-changes.ts";
import { type CellResult, cleanCell, holdsResidentNumber } from "./cell-rules.ts";
import { hasChoices, type OwnField, type OwnFieldKind, type OwnValue, ownValueText } from "./own-fields.ts";

// Parses values of own fields by kind; rewrites only unambiguous ones.

const NUMBER_FAULT = "숫자로 입력해 주십시오. 단위는 적지 않습니다.";

/** Refuses text whose digits a number would lose: leading zeros or too many digits. */
function parseOwnNumber(text: string): OwnFieldResult<number> {
  const digits = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  if (!/^[+-]?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(digits)) return invalid(NUMBER_FAULT);
  return digits.replace(/[^\d]/g, "").length > 15 ? invalid(NUMBER_FAULT) : { value: Number(digits) };
}

export const YES = "예";
export const NO = "아니요";
const YES_WORDS = new Set("예 네 y yes o ○ ◯ 유 있음 함 참 true t 1 v ✓ ✔ ☑ ■ ●".split(" "));
const NO_WORDS = new Set("아니요 아니오 아니 n no x × ✕ ✗ 무 없음 안함 거짓 false f 0 - ☐ □".split(" "));

function parseYesNo(text: string): OwnFieldResult<string> {
  const word = foldValue(text);
  if (YES_WORDS.has(word)) return { value: YES };
  return NO_WORDS.has(word) ? { value: NO } : invalid("‘예’나 ‘아니요’로 입력해 주십시오.", "choice");
}

const CELL_FIELDS = { text: "memo", phone: "phone", email: "email", address: "address" } as const;

const isCellKind = (kind: OwnFieldKind): kind is keyof typeof CELL_FIELDS => kind in CELL_FIELDS;

/** Returns the stored value, empty for none, or the Korean reason for refusal. */
export function cleanOwnValue(
  { kind, choices }: Pick<OwnField, "kind" | "choices">,
  given: string | readonly string[],
): CellResult<OwnValue> {
  const raw = String(given);
  if (isCellKind(kind)) return cleanCell(CELL_FIELDS[kind], raw);
  const text = plainText(raw);
  if (text === "") return { value: "" };
  if (kind === "file") return invalid("파일은 이름으로 넣을 수 없습니다. 파일을 올려 주십시오.");
  if (holdsResidentNumber(text)) return { error: residentNumberMessage(text), fault: "resident" };
  if (kind === "number") return parseOwnNumber(text);
  if (kind === "date") return readDate(text);
  if (kind === "yesNo") return parseYesNo(text);
  return kind === "choices" ? readChoices(choices, given) : readChoice(choices, text);
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
export const isChoiceText = (text: string) => text.length <= CHOICE_LENGTH && !/[,;\n]/.test(text);

export const needsChoices = ({ kind, choices }: Pick<OwnField, "kind" | "choices">) =>
  hasChoices(kind) && choices.length === 0;
