import { DUE_STATE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";

/** The form of a registration, and one's own registration. */
export const KOREAN_REGISTER_TEXTS = {
  title: (isFull: boolean): string => (isFull ? "대기자로 신청" : "신청"),
  hint: (isFull: boolean): string =>
    isFull
      ? "자리가 나면 먼저 신청하신 분부터 저절로 확정되고 알려 드립니다."
      : "이름과 연락처는 회원정보의 것을 씁니다.",
  guestTitle: (isFull: boolean): string => (isFull ? "비회원 대기 신청" : "비회원 신청"),
  guestHint: "이메일로 받은 인증번호를 확인한 뒤 신청합니다. 신청 내용은 메일의 주소에서 보고 고칠 수 있습니다.",
  forMembers: "회원이시면 로그인하고 신청해 주십시오.",
  signin: "로그인",
  showOther: "신청 내용 보기",
  nameMissing: "이름을 입력해 주십시오.",
  done: { confirmed: "신청이 확정되었습니다.", waiting: "대기자로 신청하였습니다. 자리가 나면 알려 드립니다." },
  already: "이미 신청하신 행사입니다. 신청 내용을 보여 드립니다.",
  cancelledBefore: "취소된 신청이 있습니다.",
  officeSaid: (reason: string) => `사무국이 적은 사유: ${reason}`,
  again: "다시 신청하실 수 있습니다.",
  fee: "참가비",
  feeMissing: REGISTRATION_MESSAGES.feeMissing as string,
  won: (amount: number) => (amount === 0 ? "무료" : formatWon(amount)),
  feeStates: DUE_STATE_LABELS as Record<keyof typeof DUE_STATE_LABELS, string>,
  received: (won: string) => `${won} 받음`,
  until: { before: "", after: "까지" },
  hidden: "비공개 행사",
  guestOf: (name: string) => `${name}님의 행사 신청`,
  status: "상태",
  created: "신청한 때",
  reason: "사무국이 적은 사유",
  cancelUntil: { before: "", after: "까지 취소하실 수 있습니다." },
  change: "답 고치기",
  save: "저장",
  changed: "답을 고쳤습니다.",
  cancel: "신청 취소",
  cancelTitle: "신청을 취소하시겠습니까?",
  cancelText: "취소하시면 자리는 기다리는 분께 넘어갑니다. 다시 신청하시면 맨 뒤에 섭니다.",
  cancelled: "신청을 취소하였습니다.",
  keep: "취소",
  ticket: "입장권의 QR 그림",
  ticketHow: "행사장 입구에서 이 QR 그림을 보여 주십시오.",
  pay: {
    account: "계좌",
    holder: "예금주",
    total: "합계",
    payName: "입금자명",
    how: "입금하실 때 ‘받는 분 통장 표시’에 위 입금자명을 적어 주십시오.",
    ask: (phone: string) =>
      phone
        ? `입금하실 계좌는 운영사무국(${phone})에 문의해 주십시오.`
        : "입금하실 계좌는 운영사무국에 문의해 주십시오.",
    copy: "계좌 복사",
    copied: "계좌번호를 복사하였습니다.",
    open: "결제 페이지 열기",
  },
  /** A refusal in the language of the page. @param refusal Korean */
  said: (refusal: string) => refusal,
  /** @param error a refused call's @param problem of a field @throws the error in the reader's words */
  refuse: (error: unknown, _problem: (field: string, said: string) => string): never => {
    throw error;
  },
};

export type RegisterTexts = typeof KOREAN_REGISTER_TEXTS;
