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

export const SECOND_FACTOR_MESSAGES = {
  totpFormat: "인증 앱에 보이는 숫자 6자리를 입력해 주십시오.",
  totpWrong: "인증번호가 맞지 않습니다. 인증 앱에 지금 보이는 숫자를 입력해 주십시오.",
  recoveryFormat: "복구 코드 10자리를 입력해 주십시오. 예: ABCDE-FGH23",
  recoveryWrong: "복구 코드가 맞지 않거나 이미 사용한 코드입니다.",
  passkeyWrong: "패스키를 확인하지 못했습니다. 다시 시도해 주십시오.",
  passkeyTaken: "이미 등록된 패스키입니다.",
  totpTaken: "인증 앱은 하나만 등록할 수 있습니다. 쓰지 않는 것을 먼저 지워 주십시오.",
  setupExpired: "시간이 지나 처음부터 다시 등록하셔야 합니다.",
  tooMany: "2단계 인증 수단은 10개까지 등록할 수 있습니다. 쓰지 않는 것을 먼저 지워 주십시오.",
  lastFactor: "마지막 인증 수단은 지울 수 없습니다. 다른 인증 수단을 먼저 등록해 주십시오.",
} as const;
