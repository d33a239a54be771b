import type { AccountTexts } from "#app/lib/texts/account.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import type { UserKeyType } from "#worker/contract/account/rules.ts";
import { particleOf, withParticle } from "#worker/contract/kernel/wording.ts";

export const addObjectParticle = (word: string) => withParticle(word, "을/를");

export const enterMessage = (word: string) => `${addObjectParticle(word)} 입력해 주십시오.`;
export const keyMissingMessage = (type: UserKeyType) => enterMessage(USER_KEY_NAMES[type]);

/** Returns the message of spec section 8 for a failed sign-in, with a hint if any. */
export function signinErrorMessage(error: unknown): string {
  const code = error instanceof AppError ? error.code : "INTERNAL_ERROR";
  switch (code) {
    case "INVALID_CREDENTIAL":
      return ERRORS.INVALID_CREDENTIAL.message;
    case "NOT_FOUND":
      return UI_MESSAGES.userNotFound;
    case "NOT_ACCEPTABLE":
      return UI_MESSAGES.signinRefused;
    default:
      return appendReason(UI_MESSAGES.signinFailed, error);
  }
}

/** Appends the server's reason to the spec's text if it adds anything. */
export function appendReason(text: string, error: unknown): string {
  if (!(error instanceof AppError)) return text;
  if (error.message === text || error.message === ERRORS[error.code].message) return text;
  return `${text} ${error.message}`;
}

export const ADDRESS_TYPE_BY_AUTH_TYPE = {
  IdAndPassword: "Email",
  EmailAndPassword: "Email",
  MobileAndPassword: "Mobile",
} as const;

export const errorMessage = (error: unknown) =>
  error instanceof AppError ? error.message : ERRORS.INTERNAL_ERROR.message;

export function pincodeErrorMessage(error: unknown): string {
  if (error instanceof AppError && error.code === "PINCODE_EXPIRED") return UI_MESSAGES.pincodeNotSent;
  const remaining = error instanceof AppError ? error.data?.remaining : undefined;
  if (typeof remaining !== "number") return appendReason(UI_MESSAGES.pincodeWrong, error);
  return remaining > 0
    ? `${UI_MESSAGES.pincodeWrong} 남은 횟수 ${remaining}회`
    : `${UI_MESSAGES.pincodeWrong} ${UI_MESSAGES.pincodeNotSent}`;
}

export const KOREAN_CODE_TEXTS: AccountTexts["code"] = {
  label: "인증번호",
  placeholder: "6자리 숫자",
  missing: "인증번호 6자리를 입력해 주십시오.",
  ask: "인증번호 받기",
  enter: "인증번호 입력",
  again: "재전송",
  askAgain: UI_MESSAGES.pincodeNotSent,
  wait: (seconds) => `재전송 (${seconds}초)`,
  left: (time) => `남은 시간 ${time}`,
  over: "인증번호 입력 시간이 지났습니다.",
  confirm: "인증 확인",
  confirmed: UI_MESSAGES.pincodeConfirmed,
  title: { Email: "이메일 인증", Mobile: "휴대전화 인증" },
  hint: {
    Email: "메일이 보이지 않으면 스팸 메일함을 확인해 주십시오.",
    Mobile: "문자가 오지 않으면 번호를 다시 확인해 주십시오.",
  },
  sentTo: (address) => ({ before: "", after: `${particleOf(address, "으로/로")} 인증번호를 보냈습니다.` }),
  sentAgain: "인증번호를 다시 보냈습니다.",
};
