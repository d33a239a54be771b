import { lookUp } from "../kernel/labels.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/setting/identity-rules.ts";
import { profileMissingMessage, UI_MESSAGES } from "../kernel/messages.ts";
import { containsResidentNumber, residentNumberMessage } from "../kernel/resident-number.ts";
import { cleanLine, cleanText, normaliseUnicode } from "../kernel/text.ts";
import { ACCOUNT_RULE_MESSAGES } from "./rule-messages.ts";
import { isEmail, isPhone, normalisePhone, normaliseTime, type ProfileInput } from "./rules.ts";
import type { ProfileField } from "./view.ts";

// Values of the fields that the office adds to the sign-up and to the address book. Free of zod for the browser.

export type OwnFieldResult<V> = { value: V } | { error: string; fault: "format" | "twoWays" | "choice" };

export const invalid = (error: string, fault: "format" | "twoWays" | "choice" = "format") => ({ error, fault });

export const plainText = (raw: string) => cleanLine(normaliseUnicode(raw, "NFKC"));

export const foldValue = (text: string) => plainText(text).replace(/\s/g, "").toLowerCase();

export const ownFieldValueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(", ");
  if (value === true) return "예";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

const DATE_FAULT = "날짜로 입력해 주십시오. 예: 2004-02-25";

function dayOf(year: number, month: number, day: number): OwnFieldResult<string> {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1000 ? { value: date.toISOString().slice(0, 10) } : invalid(DATE_FAULT);
}

/** 2004-02-25, 2004.2.25., 2004년 2월 25일, 20040225, 25/02/2004; refuses ambiguous dates. */
export function readDate(text: string): OwnFieldResult<string> {
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

export const CHOICE_LENGTH = 50;

const choiceFault = (text: string) => invalid(`목록에 없는 값입니다: ${text.slice(0, CHOICE_LENGTH)}`, "choice");

const findChoice = (choices: readonly string[], text: string) =>
  choices.find((choice) => choice === text.trim()) ?? choices.find((choice) => foldValue(choice) === foldValue(text));

export function readChoices(choices: readonly string[], given: string | readonly string[]): OwnFieldResult<string[]> {
  if (typeof given !== "string") {
    const chosen = given.map((text) => findChoice(choices, text));
    const unknown = chosen.indexOf(undefined);
    return unknown < 0
      ? { value: choices.filter((choice) => chosen.includes(choice)) }
      : choiceFault(given[unknown] ?? "");
  }
  const text = given.trim();
  const whole = findChoice(choices, text);
  if (whole) return { value: [whole] };
  for (const signs of [/[,;\n]/, /[,;\n/·|]/]) {
    const parts = text
      .split(signs)
      .map((part) => part.trim())
      .filter(Boolean);
    const found = parts.map((part) => findChoice(choices, part));
    if (found.every((choice) => choice !== undefined))
      return { value: choices.filter((choice) => found.includes(choice)) };
  }
  const unknown = text.split(/[,;\n]/).find((part) => part.trim() !== "" && !findChoice(choices, part));
  return choiceFault(unknown?.trim() ?? text);
}

export function readChoice(choices: readonly string[], text: string): OwnFieldResult<string> {
  const found = findChoice(choices, text);
  return found === undefined ? choiceFault(text) : { value: found };
}

const PROFILE_TEXT_MAX = 1000;

function readProfileText(
  { inputType, detail, name }: ProfileField,
  text: string,
): OwnFieldResult<ProfileInput[string]> {
  switch (inputType) {
    case "phone": {
      const phone = normalisePhone(text);
      return isPhone(phone) ? { value: phone } : invalid(UI_MESSAGES.phoneFormat);
    }
    case "email": {
      const email = text.toLowerCase();
      return isEmail(email, WIDEST_ACCOUNT_RULES) ? { value: email } : invalid(ACCOUNT_RULE_MESSAGES.email);
    }
    case "date":
      return readDate(plainText(text));
    case "time": {
      const time = normaliseTime(text);
      return time ? { value: time } : invalid(`${name} 항목을 13:30 형식의 24시간제 시각으로 입력해 주십시오.`);
    }
    case "select":
    case "radio":
      return readChoice(detail, text);
    case "checkbox":
      return readChoices(detail, text);
    default:
      return containsResidentNumber(text) ? invalid(residentNumberMessage(text)) : { value: text };
  }
}

function checkProfileField(
  field: ProfileField,
  given: ProfileInput[string] = "",
  max = PROFILE_TEXT_MAX,
): { value?: ProfileInput[string]; error?: string } {
  const { inputType, name, required, detail } = field;
  const missing = profileMissingMessage(name);
  if (inputType === "checkbox" && detail.length === 0) {
    const value = given === true || given === "true" || given === "1";
    return value || !required ? { value } : { error: missing };
  }
  const isList = inputType === "checkbox" && Array.isArray(given);
  if (typeof given !== "string" && !isList) return { error: missing };
  const sent = typeof given === "string" ? cleanText(given).trim() : given;
  if (sent.length === 0) return required ? { error: missing } : {};
  if (sent.length > max) return { error: `${name} 항목은 ${max}자 이하로 입력해 주십시오.` };
  const read = typeof sent === "string" ? readProfileText(field, sent) : readChoices(detail, sent);
  if ("value" in read) return { value: read.value };
  return { error: read.fault === "choice" ? missing : read.error };
}

const isFilled = (value: unknown) =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** A field that was made required after the member signed up. */
export const isAskedLater = ({ required, code }: ProfileField, stored: Record<string, unknown>) =>
  required && !isFilled(lookUp(stored, code));

/** Checks changed values only: a value stored before stays valid, a field made required later may stay empty. */
export function checkProfileChange(fields: ProfileField[], stored: Record<string, unknown>, given: ProfileInput) {
  const isKept = (field: ProfileField) => {
    const { code } = field;
    if (!Object.hasOwn(given, code)) return true;
    const before = lookUp(stored, code);
    return isFilled(given[code]) ? JSON.stringify(given[code]) === JSON.stringify(before) : isAskedLater(field, stored);
  };
  const changed = fields.filter((field) => !isKept(field));
  return { ...checkProfile(changed, given), checked: new Set(changed.map(({ code }) => code)) };
}

/**
 * Checks the sign-up's fields in the form and on the server (spec section 5). Errors are at `profile.{code}`. @param max
 * characters of a text
 */
export function checkProfile(fields: ProfileField[], input: ProfileInput, max?: number) {
  const profile: ProfileInput = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const given = Object.hasOwn(input, field.code) ? input[field.code] : undefined;
    const { value, error } = checkProfileField(field, given, max);
    if (error) errors[`profile.${field.code}`] = error;
    else if (value !== undefined) profile[field.code] = value;
  }
  return { profile, errors };
}
