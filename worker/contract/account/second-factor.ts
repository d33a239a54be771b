import { normaliseUnicode } from "../kernel/text.ts";
import { DAY_MS } from "../kernel/limits.ts";
import type { Page } from "#worker/contract/kernel/page.ts";

export const SECOND_FACTOR_LIMITS = {
  challengeMs: 5 * 60_000,
  /** Longer, for the first setup with a phone. */
  setupMs: 15 * 60_000,
  factorsMax: 10,
  /** Includes the separators that people type. */
  typedCodeLength: 40,
  recoveryCodes: 10,
  recoveryDelayMs: DAY_MS,
  recoveryTtlMs: 7 * DAY_MS,
  fewRecoveryCodes: 3,
} as const;

export const SECOND_FACTOR_KINDS = { passkey: "패스키", totp: "인증 앱" } as const;
type SecondFactorKind = keyof typeof SECOND_FACTOR_KINDS;

/** Without 0, 1, I, L, O and U, which are misread on paper. */
export const RECOVERY_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const RECOVERY_CODE_LENGTH = 10;

export const normaliseRecoveryCode = (value: string) =>
  normaliseUnicode(value, "NFKC").replace(/[\s-]/g, "").toUpperCase();
export const isRecoveryCode = (value: string) =>
  value.length === RECOVERY_CODE_LENGTH && [...value].every((letter) => RECOVERY_CODE_ALPHABET.includes(letter));
export const printRecoveryCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`;

export const normaliseTotpCode = (value: string) => normaliseUnicode(value, "NFKC").replace(/\s/g, "");

export interface FactorView {
  id: string;
  kind: SecondFactorKind;
  name: string;
  createdDate: string;
  lastUsedDate: string | null;
}

export interface RecoveryView {
  createdDate: string;
  usableDate: string;
  expiresDate: string;
  isUsable: boolean;
}

/** Returned once, with the first factor. */
export interface AddedFactor {
  id: string;
  recoveryCodes?: string[];
}

export interface TotpSetup {
  secret: string;
  uri: string;
  setupToken: string;
}

export interface SecondFactorRow {
  userId: string;
  userName: string;
  roleName: string;
  isRequired: boolean;
  kinds: SecondFactorKind[];
  recoveryCodesLeft: number;
  lastUsedDate: string | null;
  recovery: RecoveryView | null;
}

export type SecondFactorPage = Page<SecondFactorRow> & { missingCount: number; isEnforced: boolean };
