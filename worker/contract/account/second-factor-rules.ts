import { normaliseUnicode } from "../kernel/text.ts";
import { DAY_MS } from "../kernel/limits.ts";

export const SECOND_FACTOR_LIMITS = {
  challengeMs: 5 * 60_000,
  /** To read a code off a telephone for the first time takes longer. */
  setupMs: 15 * 60_000,
  factorsMax: 10,
  /** Of a typed code with what people put between its letters. */
  typedCodeLength: 40,
  recoveryCodes: 10,
  recoveryDelayMs: DAY_MS,
  recoveryTtlMs: 7 * DAY_MS,
  /** When few recovery codes are left, the person is told so. */
  fewRecoveryCodes: 3,
} as const;

export const SECOND_FACTOR_KINDS = { passkey: "패스키", totp: "인증 앱" } as const;
export type SecondFactorKind = keyof typeof SECOND_FACTOR_KINDS;

/** Without 0, 1, I, L, O and U: nothing to take for another when it is read off paper. */
export const RECOVERY_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const RECOVERY_CODE_LENGTH = 10;

/** As it is compared: without the hyphen and spaces, in capitals. */
export const normaliseRecoveryCode = (value: string) =>
  normaliseUnicode(value, "NFKC").replace(/[\s-]/g, "").toUpperCase();
export const isRecoveryCode = (value: string) =>
  value.length === RECOVERY_CODE_LENGTH && [...value].every((letter) => RECOVERY_CODE_ALPHABET.includes(letter));
/** As it is printed: ABCDE-FGH23. */
export const printRecoveryCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`;

/** As an app shows it: "123 456" is the same. */
export const normaliseTotpCode = (value: string) => normaliseUnicode(value, "NFKC").replace(/\s/g, "");
