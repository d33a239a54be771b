// Without zod, so that a form can keep the rules without bringing it to the browser.
import type { AgreementInfo } from "./site.ts";
import { cleanLine } from "./text.ts";

export const USER_KEY_TYPES = ["Id", "Email", "Mobile"] as const;
export type UserKeyType = (typeof USER_KEY_TYPES)[number];
export const AUTH_TYPES = ["IdAndPassword", "EmailAndPassword", "MobileAndPassword"] as const;
export type AuthType = (typeof AUTH_TYPES)[number];
export type UserType = "Member" | "Admin";

/** Which key a person signs in with under each authentication type. */
export const SIGNIN_KEY: Record<AuthType, UserKeyType> = {
  IdAndPassword: "Id",
  EmailAndPassword: "Email",
  MobileAndPassword: "Mobile",
};

/** Rules of spec section 5; `RULES` is what GET site-setting/authentication publishes. */
export const RULES = {
  password: { min: 6, max: 16, pattern: "^(?=.*[A-Za-z])(?=.*[0-9])(?=.*[^A-Za-z0-9])[!-~]{6,16}$" },
  userName: { pattern: "^[가-힣]{1,4}$" },
  userId: { max: 50, pattern: "^\\S+$" },
  email: {
    max: 100,
    pattern: "^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,3}$",
  },
  phone: { pattern: "^\\d{2,3}-\\d{3,4}-\\d{4}$" },
  mobile: { pattern: "^01[016789]-\\d{3,4}-\\d{4}$" },
} as const;

export const PATTERNS = {
  password: new RegExp(RULES.password.pattern),
  userName: new RegExp(RULES.userName.pattern),
  email: new RegExp(RULES.email.pattern),
  phone: new RegExp(RULES.phone.pattern),
  mobile: new RegExp(RULES.mobile.pattern),
};

export const RULE_MESSAGES = {
  password: "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오.",
  passwordCommon: "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오.",
  passwordOwn: "비밀번호에 아이디나 이메일을 넣을 수 없습니다.",
  passwordSame: "지금 쓰는 비밀번호와 다른 비밀번호를 입력해 주십시오.",
  userName: "이름은 한글 1~4자로 입력해 주십시오.",
  userId: "아이디는 공백 없이 입력해 주십시오.",
  email: "이메일을 형식에 맞게 입력해 주십시오.",
  mobile: "휴대전화번호를 형식에 맞게 입력해 주십시오.",
} as const;

/** Each rule of the password by itself, so that a form can show which are met. */
export const PASSWORD_CHECKS = [
  { code: "length", label: "6~16자", test: (value: string) => value.length >= 6 && value.length <= 16 },
  { code: "letter", label: "영문", test: (value: string) => /[A-Za-z]/.test(value) },
  { code: "digit", label: "숫자", test: (value: string) => /[0-9]/.test(value) },
  { code: "special", label: "특수문자", test: (value: string) => /[^A-Za-z0-9\s]/.test(value) },
] as const;

/** Digits, spaces, +82 or hyphens to 010-1234-5678; what is no phone number comes back as it was. */
export function normalisePhone(value: string): string {
  const digits = value
    .normalize("NFKC")
    .replace(/^\s*\+?82[\s-]*0?/, "0")
    .replace(/\D/g, "");
  const match = /^(02|01[016789]|0\d{2})(\d{3,4})(\d{4})$/.exec(digits);
  return match ? `${match[1]}-${match[2]}-${match[3]}` : value.normalize("NFKC").trim();
}

/** One identity for every way of typing it (contract section 1): normalise, then validate, then look up. */
export function normaliseUserKey(userKeyType: UserKeyType, userKeyCode: string): string {
  if (userKeyType === "Mobile") return normalisePhone(userKeyCode);
  const code = cleanLine(userKeyCode.normalize("NFKC"));
  return userKeyType === "Email" ? code.toLowerCase().replace(/\.+$/, "") : code.toLowerCase();
}

/** Korean message when the normalised key breaks its rule, else null. */
export function userKeyProblem(userKeyType: UserKeyType, code: string): string | null {
  switch (userKeyType) {
    case "Id":
      return code.length > 0 && code.length <= RULES.userId.max && !/\s/.test(code) ? null : RULE_MESSAGES.userId;
    case "Email":
      return code.length <= RULES.email.max && PATTERNS.email.test(code) ? null : RULE_MESSAGES.email;
    case "Mobile":
      return PATTERNS.mobile.test(code) ? null : RULE_MESSAGES.mobile;
  }
}

export const isPhone = (value: string) => PATTERNS.phone.test(value);
export const isEmail = (value: string) => value.length <= RULES.email.max && PATTERNS.email.test(value);

export type ProfileInput = Record<string, string | boolean | string[]>;

export interface SignedInUser {
  id: string;
  userName: string;
  userType: UserType;
  role: { roleCode: string; roleName: string; permissions: string[] };
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  user: SignedInUser;
  /** Required agreements in a version that the person has not agreed to yet; absent when there is none. */
  pendingAgreements?: AgreementInfo[];
}

export interface UserView {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  userKeys: { userKeyType: UserKeyType; userKeyCode: string; verified: boolean }[];
  profile: Record<string, unknown>;
  createdDate: string;
  version: number;
}

export interface SessionView {
  sid: string;
  /** "Chrome · Windows" */
  device: string;
  address: string;
  createdDate: string;
  lastUsedDate: string;
  /** The session that asks. */
  current: boolean;
}

export interface ConsentView extends AgreementInfo {
  agreed: boolean;
  /** When it was last agreed to or declined; null when the person was never asked. */
  consentDate: string | null;
}
