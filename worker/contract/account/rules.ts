import { ACCOUNT_RULE_MESSAGES } from "./rule-messages.ts";
import { type AccountRules, RULES } from "../kernel/setting/identity-rules.ts";
import { cleanLine, normaliseUnicode, withoutKoreanCode } from "../kernel/text.ts";
import { containsResidentNumber } from "../kernel/resident-number.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const USER_KEY_TYPES = ["Id", "Email", "Mobile"] as const;

export type UserKeyType = (typeof USER_KEY_TYPES)[number];

export const MEMBER_STATUS_NAMES = {
  active: "정상",
  waiting: "승인 대기",
  refused: "가입 반려",
  blocked: "차단",
  retired: "탈퇴",
};

export type MemberStatus = keyof typeof MEMBER_STATUS_NAMES;

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

const LATIN_NAME = /^(?=.{2,60}$)\p{Script=Latin}(?:[ '’-]?\p{Script=Latin})*$/u;

export const isLatinName = (value: string): boolean => LATIN_NAME.test(value);

/** @param takesLatin on the English form, and for a person whose name is Latin already */
export function userNameProblem(value: string, rules: AccountRules, takesLatin = false): string | null {
  if (matchesRule(rules.userName, value) || (takesLatin && isLatinName(value))) return null;
  const { min, max, foreign } = rules.userName;
  const length = min === max ? `${min}자` : `${min}~${max}자`;
  return foreign
    ? `이름은 한글 ${length}, 또는 영문이나 한자로 입력해 주십시오.`
    : `이름은 한글 ${length}로 입력해 주십시오.`;
}

/** @param ownWords all words of the person; without them the check for these is absent */
export const passwordChecks = ({ min, max }: AccountRules["password"], ownWords?: readonly string[]) => [
  { code: "length", label: `${min}~${max}자`, test: (value: string) => value.length >= min && value.length <= max },
  { code: "letter", label: "영문", test: (value: string) => /[A-Za-z]/.test(value) },
  { code: "digit", label: "숫자", test: (value: string) => /[0-9]/.test(value) },
  { code: "special", label: "특수문자", test: (value: string) => /[^A-Za-z0-9\s]/.test(value) },
  ...(ownWords
    ? [
        {
          code: "own",
          label: "아이디·이메일·이름 없음",
          test: (value: string) => value !== "" && !holdsOwnWord(value, ownWords),
        },
      ]
    : []),
];

const OWN_WORD_MIN = 4;
const LEET: Record<string, string> = {
  "@": "a",
  "4": "a",
  "8": "b",
  "(": "c",
  "3": "e",
  "6": "g",
  "9": "g",
  "1": "i",
  "!": "i",
  "|": "l",
  "0": "o",
  $: "s",
  "5": "s",
  "+": "t",
  "7": "t",
  "2": "z",
};

const withLettersForSigns = (word: string) => word.replace(/[^a-z]/g, (sign) => LEET[sign] ?? sign);
const withoutTail = (word: string) => word.replace(/(?<![^a-z])[^a-z]+$/, "");

/** Base words of a password, without trailing digits and signs, and with leetspeak decoded. */
export function baseWords(lower: string): string[] {
  return [
    lower,
    withoutTail(lower),
    withLettersForSigns(lower),
    withLettersForSigns(withoutTail(lower)),
    withoutTail(withLettersForSigns(lower)),
  ];
}

/** An ID, an address before its @ or a name, whole and in parts; a phone number without hyphens and its last digits. */
function ownWordParts(word: string): string[] {
  const plain = normaliseUnicode(word, "NFKC").toLowerCase().split("@")[0] ?? "";
  const digits = plain.replace(/\D/g, "");
  const parts = /^[\d+\s-]*$/.test(plain) ? [digits, digits.slice(-8)] : plain.split(/[^\p{L}\p{N}]+/u);
  const long = [plain, ...parts].filter((part) => part.length >= OWN_WORD_MIN);
  return [...long, ...long.map(withLettersForSigns)];
}

/** Refuses a password that contains the person's ID, address or name (`passwordOwn`). */
export function holdsOwnWord(password: string, ownWords: readonly string[]): boolean {
  const forms = baseWords(password.toLowerCase());
  return ownWords.flatMap(ownWordParts).some((part) => forms.some((form) => form.includes(part)));
}

/** Assigned calling codes without Korea's, of which a number is stored without the code. */
const CALLING_CODE =
  "(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[146]|9[0-58]|2[1-689]\\d|3[578]\\d|42\\d|50\\d|59\\d|6[789]\\d|8[0578]\\d|96\\d|97[0-79]|99[2-8])";
const FOREIGN_NUMBER = new RegExp(`^\\+${CALLING_CODE}\\d{4,14}$`);
const FOREIGN_NUMBER_LENGTHS = { digitsMin: 7, digitsMax: 15, max: 20 } as const;

/** A number of E.164 with its calling code, in groups that single spaces or hyphens part. */
export function isForeignNumber(text: string): boolean {
  const { digitsMin, digitsMax, max } = FOREIGN_NUMBER_LENGTHS;
  if (text.length > max || !/^\+\d+(?:[ -]\d+)*$/.test(text)) return false;
  const digits = text.replace(/[ -]/g, "");
  return FOREIGN_NUMBER.test(digits) && digits.length > digitsMin && digits.length <= digitsMax + 1;
}

/** +43 (0)1/4277.0 to +43 1 4277 0: the zero in brackets is dialled only within the country. */
const spacedForeignNumber = (text: string) =>
  text
    .replace(/\(0\)/g, " ")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\s()./]+/g, " ")
    .replace(/ ?- ?/g, "-")
    .trim();

/** Formats a Korean number as 010-1234-5678, spaces one of another country; returns other input unchanged. */
export function normalisePhone(value: string): string {
  const typed = normaliseUnicode(value, "NFKC").trim();
  if (/^\+(?! ?82)/.test(typed)) {
    const foreign = spacedForeignNumber(typed);
    if (isForeignNumber(foreign)) return foreign;
  }
  const digits = withoutKoreanCode(typed).replace(/\D/g, "");
  const match = /^(02|01[016789]|0\d{2})(\d{3,4})(\d{4})$/.exec(digits);
  return match ? `${match[1]}-${match[2]}-${match[3]}` : typed;
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

/** A Korean number; the other forms of a telephone number are foreign ones. */
export const isKoreanPhone = (value: string) => PHONE.test(value);

export const isPhone = (value: string) => isKoreanPhone(value) || isForeignNumber(value);

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
  radio: "하나 고르기 (버튼)",
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
