import { lookUp } from "#worker/contract/kernel/labels.ts";
import { ACCOUNT_RULE_MESSAGES, SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import type { ProfileInputType } from "#worker/contract/account/rules.ts";
import { AppError, type ErrorCode } from "#worker/contract/kernel/errors.ts";
import type { AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";
import { isKorean } from "#worker/contract/kernel/language.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

/** Other errors show only the action that failed, which is already in English. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  INVALID_INPUT: "Please check what you have entered.",
  UNAUTHORIZED: "You have been signed out. Please sign in again.",
  FORBIDDEN: "This site does not allow it. Please contact the office.",
  TOO_MANY_REQUESTS: "There have been too many attempts. Please wait a while before you try again.",
  UPSTREAM_UNAVAILABLE: "A service that this site relies on is not responding. Please try again in a moment.",
};

function waitText(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, "second"]
      : seconds < 3600
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3600), "hour"];
  return `There have been too many attempts. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
}

function knownReason(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  return error.retryAfterSeconds === undefined ? REASONS[error.code] : waitText(error.retryAfterSeconds);
}

export const englishReason = (error: unknown): string => knownReason(error) ?? "Please try again in a moment.";

export function withEnglishReason(text: string, error: unknown): string {
  const reason = knownReason(error);
  return reason === undefined ? text : `${text} ${reason}`;
}

const SAID: Readonly<Record<string, string>> = {
  [ACCOUNT_RULE_MESSAGES.passwordCommon]: "This password is widely known and easy to guess. Please choose another.",
  [ACCOUNT_RULE_MESSAGES.passwordOwn]: "The password must not contain your ID, email address or name.",
  [ACCOUNT_RULE_MESSAGES.passwordSame]: "Please choose a password other than your current one.",
  [ACCOUNT_RULE_MESSAGES.userId]: "Please enter an ID without spaces.",
  [ACCOUNT_RULE_MESSAGES.userIdResident]: "An ID that looks like a resident registration number cannot be used.",
  [ACCOUNT_RULE_MESSAGES.email]: "Please enter a valid email address.",
  [ACCOUNT_RULE_MESSAGES.mobile]:
    "Please enter a Korean mobile number, for example 010-1234-5678. If you have none, please contact the office.",
  [UI_MESSAGES.emailUnverified]: "Please verify your email address.",
  [UI_MESSAGES.mobileUnverified]: "Please verify your mobile number.",
  [UI_MESSAGES.pincodeNotSent]: "Please ask for a new code.",
  [SECOND_FACTOR_MESSAGES.totpFormat]: "Please enter the 6 digits that your authenticator app shows.",
  [SECOND_FACTOR_MESSAGES.totpWrong]:
    "The code is not correct. Please enter the digits that your authenticator app shows now.",
  [SECOND_FACTOR_MESSAGES.recoveryFormat]: "Please enter a recovery code of 10 characters, for example ABCDE-FGH23.",
  [SECOND_FACTOR_MESSAGES.recoveryWrong]: "The recovery code is not correct, or it has already been used.",
  [SECOND_FACTOR_MESSAGES.passkeyWrong]: "The passkey could not be verified. Please try again.",
};

const CHECK = "Please check what you have entered here.";

/** Translates a rule's Korean message. @param field as the form or the API names it */
export function englishProblem(field: string, said: string, rules: AccountRules): string {
  const known = lookUp(SAID, said);
  if (known !== undefined) return known;
  if (field === "password") {
    const { min, max } = rules.password;
    return `Please choose a password of ${min} to ${max} characters with at least one letter, one digit and one symbol.`;
  }
  if (field === "userName") return `Please use ${englishNameLetters(rules)}.`;
  if (field === "pincode") return "Please enter the 6 digits of the code.";
  if (field.startsWith("agreements.")) return "You need to agree to this text to sign up.";
  return isKorean(said) ? CHECK : said;
}

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export const englishNameLetters = ({ userName: { min, max, foreign } }: AccountRules): string => {
  const hangul = `${min === max ? "" : "up to "}${COUNTS[max] ?? max} Hangul syllable${max === 1 ? "" : "s"}`;
  return foreign ? `Latin letters, Chinese characters or ${hangul}` : `Latin letters, or ${hangul}`;
};

const PROFILE_PROBLEMS: Record<ProfileInputType, string> = {
  text: "Please fill in this field.",
  textarea: "Please fill in this field.",
  phone: "Please enter a telephone number with its country code, for example +43 1 4277 0.",
  email: "Please enter a valid email address.",
  date: "Please enter a date, for example 2026-01-31.",
  time: "Please enter a time on the 24-hour clock, for example 13:30.",
  select: "Please choose one.",
  radio: "Please choose one.",
  checkbox: "Please tick what applies.",
};

export const englishProfileProblem = ({ inputType }: { inputType: ProfileInputType }): string =>
  PROFILE_PROBLEMS[inputType];

export function englishVerifyFailure(error: unknown): string {
  const known = error instanceof AppError ? lookUp(SAID, error.message) : undefined;
  if (known !== undefined) return known;
  const code = error instanceof AppError ? error.code : undefined;
  return code === "INVALID_CREDENTIAL"
    ? "The password is not correct."
    : withEnglishReason("The verification did not work.", error);
}

/** @returns null if the person or the page cancelled. @param instead the alternative to a passkey */
export function englishPasskeyFailure(error: unknown, failed: (error: AppError) => string, instead: string) {
  if (error instanceof AppError) return failed(error);
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError" || name === "NotAllowedError") return null;
  return `A passkey cannot be used on this device or in this browser. ${instead}`;
}
