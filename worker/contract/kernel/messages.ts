import { lookUp } from "./labels.ts";
import type { Language } from "./language.ts";

/** Verbatim texts of spec sections 5, 6 and 8. */
export const UI_MESSAGES = {
  memberOnly: "로그인 후 이용해 주시기 바랍니다.",
  preparing: "서비스 준비중입니다",
  passwordWrong: "비밀번호가 일치하지 않습니다. 다시 입력해 주십시오.",
  userNotFound: "회원 정보가 없습니다.",
  signinRefused: "로그인에 실패했습니다. 관리자에게 문의해주세요.",
  signinFailed: "로그인에 실패했습니다.",
  pincodeSendFailed: "인증번호 발송에 실패했습니다.",
  pincodeConfirmed: "인증에 성공하였습니다.",
  pincodeWrong: "인증에 실패하였습니다.",
  pincodeNotSent: "인증번호 발송 요청을 다시 해주세요.",
  emailUnverified: "이메일 인증을 진행해주세요.",
  mobileUnverified: "휴대전화 인증을 진행해주세요.",
  idUnchecked: "아이디 중복 확인을 진행해주세요.",
  phoneFormat: "연락처를 형식에 맞게 입력해주세요.",
  signupFailed: "회원가입의 실패하였습니다.",
  refreshFailed: "로그인이 만료되었습니다. 다시 로그인해 주십시오.",
  lastAdministrator: "마지막 관리자는 탈퇴할 수 없습니다. 다른 관리자를 먼저 지정해 주십시오.",
  resetFailed: "비밀번호 재설정이 실패했습니다.",
  findIdFailed: "에러가 발생했습니다. 관리자에게 문의해주세요.",
  checkFailed: "중복 확인에 실패했습니다. 잠시 후 다시 시도해 주십시오.",
  deletedComment: "삭제된 댓글입니다.",
  secretTitle: "비밀글입니다.",
  retiredUser: "탈퇴한 회원",
} as const;

/** Writes for the society, not as a person. */
export const OFFICE_WRITER = "관리자";

const ENGLISH_WRITERS: Record<string, string> = {
  [OFFICE_WRITER]: "Office",
  [UI_MESSAGES.retiredUser]: "Former member",
};

/** Names of people stay as they are. */
export const writerIn = (language: Language, name: string): string =>
  (language === "en" && lookUp(ENGLISH_WRITERS, name)) || name;

export const USER_KEY_NAMES = { Id: "아이디", Email: "이메일", Mobile: "휴대전화번호" } as const;

export const USER_KEY_TEXTS = {
  Email: { ko: USER_KEY_NAMES.Email, en: "e-mail address" },
  Mobile: { ko: USER_KEY_NAMES.Mobile, en: "mobile number" },
};

export function userKeyTakenMessage(userKeyType: keyof typeof USER_KEY_NAMES): string {
  return `이미 사용 중인 ${USER_KEY_NAMES[userKeyType]}입니다.`;
}

export function userKeyAvailableMessage(userKeyType: keyof typeof USER_KEY_NAMES): string {
  return `사용 가능한 ${USER_KEY_NAMES[userKeyType]}입니다.`;
}

export function profileMissingMessage(fieldName: string): string {
  return `${fieldName} 항목을 확인바랍니다.`;
}

export function retryAfterMessage(retryAfterSeconds: number): string {
  const wait =
    retryAfterSeconds < 60
      ? `${retryAfterSeconds}초`
      : retryAfterSeconds < 3600
        ? `${Math.ceil(retryAfterSeconds / 60)}분`
        : `${Math.ceil(retryAfterSeconds / 3600)}시간`;
  return `요청이 너무 많습니다. ${wait} 뒤에 다시 시도해 주십시오.`;
}
