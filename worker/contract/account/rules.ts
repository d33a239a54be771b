import { ACCOUNT_RULE_MESSAGES } from "./rule-messages.ts";
import { type AccountRules, RULES } from "../kernel/identity-rules.ts";
import { cleanLine, normaliseUnicode, withoutKoreanCode } from "../kernel/text.ts";
import { containsResidentNumber } from "../kernel/resident-number.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const USER_KEY_TYPES = ["Id", "Email", "Mobile"] as const;

export type UserKeyType = (typeof USER_KEY_TYPES)[number];

export const AUTH_TYPES = ["IdAndPassword", "EmailAndPassword", "MobileAndPassword"] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

export const SIGNIN_KEY: Record<AuthType, UserKeyType> = {
  IdAndPassword: "Id",
  EmailAndPassword: "Email",
  MobileAndPassword: "Mobile",
};
const matchesRule = (rule: { pattern: string }, value: string) => new RegExp(rule.pattern, "u").test(value);

const MOBILE = new RegExp(RULES.mobile.pattern);

const PHONE = new RegExp(RULES.phone.pattern);
const TIME = new RegExp(RULES.time.pattern);

export function passwordRuleProblem(value: string, rules: AccountRules): string | null {
  if (matchesRule(rules.password, value)) return null;
  const { min, max } = rules.password;
  return `비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 ${min}~${max}자로 입력해 주십시오.`;
}

export function userNameProblem(value: string, rules: AccountRules): string | null {
  if (matchesRule(rules.userName, value)) return null;
  const { min, max, foreign } = rules.userName;
  const length = min === max ? `${min}자` : `${min}~${max}자`;
  return foreign
    ? `이름은 한글 ${length}, 또는 영문이나 한자로 입력해 주십시오.`
    : `이름은 한글 ${length}로 입력해 주십시오.`;
}

export const passwordChecks = ({ min, max }: AccountRules["password"]) => [
  { code: "length", label: `${min}~${max}자`, test: (value: string) => value.length >= min && value.length <= max },
  { code: "letter", label: "영문", test: (value: string) => /[A-Za-z]/.test(value) },
  { code: "digit", label: "숫자", test: (value: string) => /[0-9]/.test(value) },
  { code: "special", label: "특수문자", test: (value: string) => /[^A-Za-z0-9\s]/.test(value) },
];

export const isForeignNumber = (text: string): boolean => /^\+(?!82)\d[\d -]{5,16}\d$/.test(text);

/** Formats digits, spaces, +82 or hyphens as 010-1234-5678; returns other input unchanged. */
export function normalisePhone(value: string): string {
  const digits = withoutKoreanCode(normaliseUnicode(value, "NFKC")).replace(/\D/g, "");
  const match = /^(02|01[016789]|0\d{2})(\d{3,4})(\d{4})$/.exec(digits);
  return match ? `${match[1]}-${match[2]}-${match[3]}` : normaliseUnicode(value, "NFKC").trim();
}

/** Maps every spelling to one key (contract section 1); call it before validation and lookup. */
export function normaliseUserKey(userKeyType: UserKeyType, userKeyCode: string): string {
  if (userKeyType === "Mobile") return normalisePhone(userKeyCode);
  const code = cleanLine(normaliseUnicode(userKeyCode, "NFKC"));
  return userKeyType === "Email" ? code.toLowerCase().replace(/(?<!\.)\.+$/, "") : code.toLowerCase();
}

export const isEmail = (value: string, rules: AccountRules) =>
  value.length <= rules.email.max && matchesRule(rules.email, value);

export const isMobile = (value: string) => MOBILE.test(value);

export function userKeyProblem(userKeyType: UserKeyType, code: string, rules: AccountRules): string | null {
  switch (userKeyType) {
    case "Id":
      if (containsResidentNumber(code)) return ACCOUNT_RULE_MESSAGES.userIdResident;
      return code.length > 0 && code.length <= rules.userId.max && !/\s/.test(code)
        ? null
        : ACCOUNT_RULE_MESSAGES.userId;
    case "Email":
      return isEmail(code, rules) ? null : ACCOUNT_RULE_MESSAGES.email;
    case "Mobile":
      return isMobile(code) ? null : ACCOUNT_RULE_MESSAGES.mobile;
  }
}

export const isPhone = (value: string) => PHONE.test(value);

/** 0930 and 09:30 to 09:30; null for an invalid time. */
export function normaliseTime(value: string): string | null {
  const plain = normaliseUnicode(value, "NFKC").trim();
  return TIME.test(plain) ? `${plain.slice(0, 2)}:${plain.slice(-2)}` : null;
}

export type ProfileInput = Record<string, string | boolean | string[]>;

export const PROFILE_INPUT_LABELS = {
  text: "한 줄 글",
  textarea: "여러 줄 글",
  phone: "전화번호",
  email: "이메일",
  date: "날짜",
  time: "시각",
  select: "하나 고르기 (펼침 목록)",
  radio: "하나 고르기 (단추)",
  checkbox: "표시하기 / 여럿 고르기",
} as const;

export type ProfileInputType = keyof typeof PROFILE_INPUT_LABELS;

export const PROFILE_FIELD_LIMITS = {
  name: 30,
  englishName: 60,
  option: 50,
  englishOption: 80,
  optionsMax: 50,
  code: SIZE_LIMITS.codeLength,
} as const;

export const LEAVING_CHOICES = ["stay", "stayWithoutMail", "leave"] as const;

export type LeavingChoice = (typeof LEAVING_CHOICES)[number];

export const RETIRE_REASON_MAX = 500;
