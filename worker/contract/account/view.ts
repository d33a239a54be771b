import type { UserType } from "../kernel/permissions.ts";
import type { ProfileInputType, UserKeyType } from "./rules.ts";
import type { Versioned } from "#worker/contract/kernel/errors.ts";
import type { AuthenticationSettings } from "./setting-input.ts";
import { withParticle } from "../kernel/wording.ts";

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
  /** Required agreements whose current version is not accepted yet; absent without any. */
  pendingAgreements?: AgreementInfo[];
  /** Treated as a guest until the second factor is verified. Absent without one. */
  secondFactor?: "pending";
}

export interface WriterIdentity {
  userId: string;
  userName: string;
  userKeyType: UserKeyType;
  userKeyCode: string;
}

export type AuthenticationSettingView = Versioned<AuthenticationSettings>;

export interface ProfileField {
  code: string;
  name: string;
  inputType: ProfileInputType;
  required: boolean;
  detail: string[];
  /** For English pages; empty where the Korean name is used. */
  englishName: string;
  englishDetail: string[];
  order: number;
}

export interface AgreementInfo {
  code: string;
  title: string;
  required: boolean;
  version: string;
}

/** Sign-up stays closed without these texts. */
export const SIGNUP_TEXTS = { terms: "이용약관", privacy: "개인정보 처리방침" } as const;

export type SignupText = keyof typeof SIGNUP_TEXTS;

export function signupClosedMessage(missing: readonly SignupText[]): string | null {
  if (missing.length === 0) return null;
  const names = missing.map((code) => SIGNUP_TEXTS[code]).join(", ");
  return `아직 회원가입을 받지 않습니다. ${withParticle(names, "을/를")} 준비하고 있습니다.`;
}
