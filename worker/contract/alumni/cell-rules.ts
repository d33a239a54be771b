import { ACCOUNT_RULE_MESSAGES } from "../account/rule-messages.ts";
import { cleanLine, cleanText, normaliseUnicode, withoutKoreanCode } from "../kernel/text.ts";
import { containsResidentNumber, maskResidentNumbers, residentNumberMessage } from "../kernel/resident-number.ts";
import { isEmail, isForeignNumber, isKoreanPhone, isMobile, isPhone, normalisePhone } from "../account/rules.ts";
import { foldValue, readChoice, readChoices, readDate } from "../account/own-field.ts";
import { PERSON_STATES, REFUSABLE_MEANS } from "../mail/letters.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/setting/identity-rules.ts";
import { isKorean } from "../kernel/language.ts";
import { OTHER_REGION, provinceOf } from "../kernel/provinces.ts";
import { UI_MESSAGES } from "../kernel/messages.ts";
import { type AlumniField, type AlumniValues, ALUMNI_MAX_LENGTHS, dialableNumber } from "./columns.ts";
import type { NameMark } from "./import/name-marks.ts";

/** Faults of one kind can be decided together. */
export type CellFault =
  | "resident"
  | "length"
  | "missing"
  | "format"
  | "several"
  | "mixed"
  | "shortYear"
  | "twoWays"
  | "choice"
  | "formula"
  | "noResult"
  | NameMark;

export type CellResult<T> = { value: T } | { error: string; fault: CellFault };

const validCell = <T>(value: T): CellResult<T> => ({ value });

const invalidCell = (error: string, fault: CellFault = "format") => ({ error, fault });

/** Full-width letters, digits and signs to ASCII; unlike NFKC it keeps ㈜. */
export const halfWidth = (value: string) =>
  value.replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));

const normaliseCell = (value: string) => cleanLine(normaliseUnicode(value, "NFKC"));

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** T., HP) and the like before a number. */
const NUMBER_LABEL = /^(?:tel|t|hp|h\.p|mobile|m|휴대폰|핸드폰|휴대전화|전화) ?[.:)]{1,2} ?/i;

const formatNumber = (digits: string): string => {
  if (/^1[568]\d{6}$/.test(digits)) return `${digits.slice(0, 4)}-${digits.slice(4)}`;
  const dropped = /^(1[016789]\d{7,8}|2\d{7,8}|[3-6]\d{8,9}|70\d{8})$/.test(digits);
  return normalisePhone(dropped ? `0${digits}` : digits);
};

function keepsGroups(typed: string, result: string): boolean {
  const ends = new Set<number>();
  let length = 0;
  for (const group of result.split("-").toReversed()) ends.add((length += group.length));
  length = 0;
  const groups = typed
    .split(/[^\d]+/)
    .filter(Boolean)
    .toReversed();
  return groups.slice(0, -1).every((group) => ends.has((length += group.length)));
}

/**
 * As `normalisePhone`, plus the zero that Excel drops and company numbers (1588-1234). Ambiguous input stays as typed.
 */
function hyphenateContactNumber(value: string): string {
  if (/^\+(?!82)/.test(value)) return normalisePhone(value);
  const typed = value.replace(NUMBER_LABEL, "").replace(/[\u2010-\u2015\u2212]/g, "-");
  if (!/^[\d\s().+-]+$/.test(typed)) return value;
  // Excel's Korean phone format writes three-digit area codes: (002) 740-1234.
  const local = withoutKoreanCode(typed).replace(/^\s*\(00(\d{1,2})\)/, "(0$1)");
  const number = formatNumber(digitsOf(local));
  const isKnown = isKoreanPhone(number) || /^1[568]\d{2}-\d{4}$/.test(number);
  return isKnown && keepsGroups(local, number) ? number : value;
}

const isCompleteNumber = (text: string) => isPhone(text) || /^1[568]\d{2}-\d{4}$/.test(text);

/** An extension, range or second number follows a whole number; the text is kept as typed. */
function hasWholeNumber(text: string): boolean {
  const first = dialableNumber(text);
  return first.length < text.length && isCompleteNumber(hyphenateContactNumber(first.trim().replace(/[-\s]$/, "")));
}

/** Whole numbers that only spaces part; the text itself unless all of it is numbers. */
function spacedNumbers(text: string): string[] {
  const numbers: string[] = [];
  let open = "";
  for (const word of text.split(/\s/)) {
    open = open === "" ? word : `${open} ${word}`;
    if (!isCompleteNumber(hyphenateContactNumber(open))) continue;
    numbers.push(open);
    open = "";
  }
  return open === "" && numbers.length > 1 ? numbers : [text];
}

/** Values of one cell, parted by a sign, a line break, or a space between whole numbers or addresses. */
export const splitValues = (text: string): string[] =>
  cleanText(text)
    .split(/[,;/|\n]|:::| 및 | 또는 /)
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .flatMap((part) => {
      const words = part.split(" ");
      return words.filter((word) => word.includes("@")).length > 1 ? words : spacedNumbers(part);
    });

const isSeveral = (text: string, isWhole: (part: string) => boolean) => {
  const parts = splitValues(text);
  return parts.length > 1 && parts.every((part) => isWhole(part));
};

interface SplitCell {
  text: string;
  rest: string;
  /** The field of the rest; without one it belongs in the memo. */
  restField?: "cohort" | "graduationYear";
}

const COHORT_AND_YEAR = /^[\s()[\]/,.·제기회년도학졸업수료생\d]{5,30}$/;

/** Takes 010-0000-0001 (배우자) or 12기(2004) apart; null unless one reading exists. */
export function splitCell(field: AlumniField, raw: string): SplitCell | null {
  const typed = normaliseCell(raw);
  if (typed.length > 200) return null;
  if (field === "cohort" || field === "graduationYear") {
    const numbers = COHORT_AND_YEAR.test(typed) ? (typed.match(/\d+/g) ?? []) : [];
    const year = numbers.find((each) => /^(?:19|20)\d\d$/.test(each));
    const cohort = numbers.find((each) => each.length < 4);
    if (numbers.length === 2 && year && cohort)
      return field === "cohort"
        ? { text: cohort, rest: year, restField: "graduationYear" }
        : { text: year, rest: cohort, restField: "cohort" };
  }
  const text =
    field === "mobile" || field === "phone"
      ? /[+\d][\d -]{6,18}\d/.exec(typed)?.[0]
      : field === "email"
        ? typed.split(/[\s()[\]<>,;]/).find((each) => each.includes("@"))
        : /^[^()[\]]{1,40}(?=[([])/.exec(typed)?.[0];
  if (text === undefined || !(field in CELL_RULES) || !("value" in cleanCell(field, text))) return null;
  const rest = typed
    .replace(text, () => " ")
    .replace(/[()[\]<>]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return rest === "" ? null : { text: text.trim(), rest };
}

/** Four digits, alone or behind a masked number: 5678, 010-****-5678, 끝 5678. @param isShort Excel drops zeros */
export const numberTail = (raw: string, isShort: boolean): string | null => {
  const text = normaliseCell(raw);
  if (isShort ? /^\d{1,4}$/.test(text) : /^\d{4}$/.test(text)) return text.padStart(4, "0");
  return /^(?:(?:끝|뒤|뒷자리)[ :]{0,2}|(?:01\d[- ]?)?[*xX○●]{3,4}[- ]?)(\d{4})$/.exec(text)?.[1] ?? null;
};

const SEVERAL = "값이 둘 이상 들어 있습니다. 하나만 남겨 주십시오.";

function parseNumber(text: string, min: number, max: number, message: string): CellResult<number | null> {
  if (text === "") return validCell(null);
  const value = Number(text);
  return /^\d{1,4}$/.test(text) && value >= min && value <= max ? validCell(value) : invalidCell(message);
}

const DAY_MS = 86_400_000;

/** 2004, 2004년, 2004-02-25, 2004.2.25, 20040225, 25/02/2004 or Excel's serial number of a day. */
function yearOf(text: string): string {
  const date = /^(\d{4})\s*(?:년|학년도|[-./])\s*(?:\d{1,2}\s*(?:월|[-./]|$).*)?$/.exec(text);
  if (date) return date[1] ?? "";
  const last = /^\d{1,2}[-./]\d{1,2}[-./](\d{4})$/.exec(text);
  if (last) return last[1] ?? "";
  if (/^\d{8}$/.test(text)) return text.slice(0, 4);
  if (/^\d{6}$/.test(text) && /(?:0[1-9]|1[0-2])$/.test(text)) return text.slice(0, 4);
  if (/^\d{5}$/.test(text) && Number(text) < 80_000)
    return String(new Date((Number(text) - 25_569) * DAY_MS).getUTCFullYear());
  return text;
}

/** 99, '99, 99년, without a century. @returns the two digits */
export const shortYearOf = (text: string) => /^['\u2018\u2019`]?(\d{2})(?:년|년도|학년도)?$/.exec(text.trim())?.[1];

/** Other words for a state, folded. */
const STATE_WORDS = new Map(
  Object.entries({
    활동: "정상 재적 현재회원 active",
    휴면: "휴회 휴지 비활동 dormant",
    "연락 두절": "연락불가 연락불능 소재불명 행방불명 주소불명 불명 반송 lost",
    탈퇴: "탈퇴함 퇴회 제명 withdrawn",
    작고: "작고함 사망 별세 타계 고인 故 故人 deceased",
  }).flatMap(([state, words]) => words.split(" ").map((word) => [word, state] as const)),
);

/** SW1A 1AA, AT-1090, 100-0001: with letters, or in groups that no Korean code has. */
const isForeignZipCode = (text: string) =>
  (/^[a-z0-9]+(?:[ -][a-z0-9]+)?$/i.test(text) && /[a-z]/i.test(text) && /\d/.test(text)) ||
  /^\d{3}-\d{4}$|^\d{5}-\d{3,4}$/.test(text);

const ALL_REFUSED = /^(?:모두|전체|전부|일체|수신 ?거부|거부|y|yes|o|예)(?: ?거부)?$/i;
const NONE_REFUSED = /^(?:없음|안 ?함|수신|수신 ?동의|동의|n|no|x|-|아니요)$/i;

const CELL_RULES: { [F in AlumniField]?: (text: string) => CellResult<AlumniValues[F]> } = {
  cohort: (text) =>
    parseNumber(
      text.replace(/^제?\s*(\d+)\s*(?:기|회)?$/, "$1"),
      1,
      999,
      "기수는 1부터 999까지의 숫자로 입력해 주십시오.",
    ),
  graduationYear: (text) => {
    if (shortYearOf(text)) return invalidCell("두 자리 연도입니다. 네 자리로 입력해 주십시오.", "shortYear");
    if (/^\d{2}[-./]\d{1,2}[-./]\d{2}$/.test(text))
      return invalidCell("두 가지로 읽히는 날짜입니다. 졸업연도를 네 자리로 입력해 주십시오.", "twoWays");
    return parseNumber(yearOf(text), 1900, 2100, "졸업연도는 1900~2100 사이의 연도로 입력해 주십시오.");
  },
  email: (text) => {
    // A space around @ or . is a typo; other spaces separate values.
    const email = text.replace(/ ?([@.]) ?/g, "$1").toLowerCase();
    if (email === "" || isEmail(email, WIDEST_ACCOUNT_RULES)) return validCell(email);
    const isMail = (part: string) => isEmail(part.toLowerCase(), WIDEST_ACCOUNT_RULES);
    return isSeveral(text, isMail) ? invalidCell(SEVERAL, "several") : invalidCell(ACCOUNT_RULE_MESSAGES.email);
  },
  mobile: (text) => {
    const mobile = text === "" ? "" : hyphenateContactNumber(text);
    if (mobile === "" || isMobile(mobile) || isForeignNumber(mobile)) return validCell(mobile);
    const isNumber = (part: string) => isCompleteNumber(hyphenateContactNumber(part));
    return isSeveral(text, isNumber) ? invalidCell(SEVERAL, "several") : invalidCell(ACCOUNT_RULE_MESSAGES.mobile);
  },
  phone: (text) => {
    const phone = text === "" ? "" : hyphenateContactNumber(text);
    if (phone === "" || isCompleteNumber(phone)) return validCell(phone);
    if (!hasWholeNumber(text)) return invalidCell(UI_MESSAGES.phoneFormat);
    return text.length <= ALUMNI_MAX_LENGTHS.phone
      ? validCell(text)
      : invalidCell(`${ALUMNI_MAX_LENGTHS.phone}자 이하로 입력해 주십시오.`, "length");
  },
  zipCode: (text) => {
    const digits = text.replace(/[\s-]/g, "");
    if (digits === "") return validCell("");
    if (text.length <= ALUMNI_MAX_LENGTHS.zipCode && isForeignZipCode(text)) return validCell(text);
    if (/^\d{4,5}$/.test(digits)) return validCell(digits.padStart(5, "0"));
    if (/^\d{6}$/.test(digits)) return validCell(`${digits.slice(0, 3)}-${digits.slice(3)}`);
    return invalidCell(
      "우편번호는 숫자 5자리로 입력해 주십시오. 해외 우편번호는 AT-1090처럼 나라 코드를 붙여 입력해 주십시오.",
    );
  },
  state: (text) => (text === "" ? validCell("") : readChoice(PERSON_STATES, STATE_WORDS.get(foldValue(text)) ?? text)),
  stateDate: (text) => (text === "" ? validCell("") : readDate(text)),
  refuses: (text) => {
    if (text === "" || NONE_REFUSED.test(text)) return validCell("");
    if (ALL_REFUSED.test(text)) return validCell(REFUSABLE_MEANS.join(", "));
    const read = readChoices(REFUSABLE_MEANS, text.replace(/(?<!이)메일|전자우편/g, "이메일").replace(/SMS/gi, "문자"));
    return "value" in read ? validCell(read.value.join(", ")) : read;
  },
};

/** A half-masked resident number still reveals birthday and sex. */
const MASKED_RESIDENT = /(?<![\d０-９])[\d０-９]{6}\s{0,3}[\p{Pd}\u2212]\s{0,3}[1-8１-８]?[*＊●○xXＸ]{6,7}/u;

/** Birthday, dash and six digits or more. */
const RESIDENT_LENGTH = 12;

export const holdsResidentNumber = (text: string) =>
  text.length >= RESIDENT_LENGTH && (containsResidentNumber(text) || MASKED_RESIDENT.test(text));

/** Masks resident numbers as 900101-1******, for files and answers that quote a cell. */
export function maskedCell(text: string): string {
  if (text.length < RESIDENT_LENGTH) return text;
  // Removes invisible characters, which could hide a number.
  const seen = containsResidentNumber(text) ? text : cleanText(text);
  return containsResidentNumber(seen) ? maskResidentNumbers(seen) : text;
}

/** Next to such an address, digits are no Korean code: 1090 in Vienna keeps its four. */
export function isForeignAddress(address: string): boolean {
  const words = address.match(/[a-z]{3,}/gi) ?? [];
  const isHere = (word: string) => /^korea/i.test(word) || provinceOf(word) !== OTHER_REGION;
  return words.length > 0 && !isKorean(address) && !words.some(isHere);
}

export const cleanForeignZipCode = (raw: string): CellResult<string> => {
  const text = normaliseCell(raw);
  return /\d/.test(text) && /^[a-z0-9]+(?:[ -][a-z0-9]+)?$/i.test(text) && text.length <= ALUMNI_MAX_LENGTHS.zipCode
    ? validCell(text)
    : cleanCell("zipCode", raw);
};

/** Returns the stored value or the Korean reason for refusal. */
export function cleanCell<F extends AlumniField>(field: F, raw: string): CellResult<AlumniValues[F]> {
  const rule = CELL_RULES[field];
  const text = rule
    ? normaliseCell(raw)
    : field === "memo"
      ? cleanText(halfWidth(raw)).trim()
      : cleanLine(halfWidth(raw));
  if (holdsResidentNumber(text)) return invalidCell(residentNumberMessage(text), "resident");
  if (rule) return rule(text);
  if (field === "name" && text === "") return invalidCell("이름을 입력해 주십시오.", "missing");
  if (text.length > ALUMNI_MAX_LENGTHS[field])
    return invalidCell(`${ALUMNI_MAX_LENGTHS[field]}자 이하로 입력해 주십시오.`, "length");
  return validCell(text as AlumniValues[F]);
}
