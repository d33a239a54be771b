import type { ProfileField } from "./view.ts";
import { cleanText } from "../kernel/text.ts";
import { containsResidentNumber, residentNumberMessage } from "../kernel/resident-number.ts";
import { profileMissingMessage, UI_MESSAGES } from "../kernel/messages.ts";
import { normalisePhone, normaliseTime, isPhone, isEmail, type ProfileInput } from "./rules.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/identity-rules.ts";

type ProfileValue = string | boolean | string[];

const TEXT_MAX = 1000;

function checkBoxes(field: ProfileField, given: ProfileValue | undefined, missing: CheckedValue): CheckedValue {
  if (field.detail.length === 0) {
    const ticked = given === true || given === "true" || given === "1";
    return ticked ? { value: true } : field.required ? missing : { value: false };
  }
  const chosen = Array.isArray(given) ? given : typeof given === "string" && given !== "" ? [given] : [];
  const values = [...new Set(chosen.map((choice) => cleanText(choice).trim()))];
  if (values.some((choice) => !field.detail.includes(choice))) return { error: profileMissingMessage(field.name) };
  return values.length === 0 ? missing : { value: values };
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function checkField(field: ProfileField, given: ProfileValue | undefined): CheckedValue {
  const missing: CheckedValue = field.required ? { error: profileMissingMessage(field.name) } : {};
  if (field.inputType === "checkbox") return checkBoxes(field, given, missing);
  if (given === undefined) return missing;
  if (typeof given !== "string") return { error: profileMissingMessage(field.name) };
  const value = cleanText(given).trim();
  if (value === "") return missing;
  if (value.length > TEXT_MAX) return { error: `${field.name} 항목은 ${TEXT_MAX}자 이하로 입력해 주십시오.` };
  switch (field.inputType) {
    case "phone": {
      const phone = normalisePhone(value);
      return isPhone(phone) ? { value: phone } : { error: UI_MESSAGES.phoneFormat };
    }
    case "email":
      return isEmail(value.toLowerCase(), WIDEST_ACCOUNT_RULES)
        ? { value: value.toLowerCase() }
        : { error: "이메일을 형식에 맞게 입력해 주십시오." };
    case "date":
      return isDate(value) ? { value } : { error: "날짜를 2026-01-31 형식으로 입력해 주십시오." };
    case "time": {
      const time = normaliseTime(value);
      return time ? { value: time } : { error: `${field.name} 항목을 13:30 형식의 24시간제 시각으로 입력해 주십시오.` };
    }
    case "select":
    case "radio":
      return field.detail.includes(value) ? { value } : { error: profileMissingMessage(field.name) };
    default:
      return containsResidentNumber(value) ? { error: residentNumberMessage(value) } : { value };
  }
}

/**
 * Validates sign-up fields on the form and the server (spec section 5). @returns cleaned values, and errors under
 * `profile.{code}`
 */
export function checkProfile(fields: ProfileField[], input: ProfileInput) {
  const profile: Record<string, ProfileValue> = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const given = Object.hasOwn(input, field.code) ? input[field.code] : undefined;
    const { value, error } = checkField(field, given);
    if (error) errors[`profile.${field.code}`] = error;
    else if (value !== undefined) profile[field.code] = value;
  }
  return { profile, errors };
}

type CheckedValue = { value?: ProfileValue; error?: string };
