import { BANK_DOUBT_LABELS } from "./bank-file.ts";

export const PILE_LABELS = {
  sure: "자동 확인",
  ask: "확인 필요",
  twin: "확인 필요(저장된 입금일 수 있음)",
  other: "회비가 아닌 것으로 기억한 내용",
  unknown: "미확인",
} as const;

export type Pile = keyof typeof PILE_LABELS;

export const PILES = Object.keys(PILE_LABELS) as Pile[];

/** Why the program leaves a deposit to the office. */
export const ASK_REASON_LABELS = {
  digits: "네 자리가 맞지 않음",
  namesakes: "같은 이름이 여럿",
  amount: "금액이 회비와 다름",
  fee: "회비인지 참가비인지 알 수 없음",
  paid: "낼 회비가 없음",
  twice: "같은 날 같은 금액을 또 보냄",
  refunded: "환불된 입금으로 보임",
  short: "이름 일부만 일치",
  words: "이름 말고 다른 말이 있음",
  cohort: "기수가 다름",
  inactive: "활동 회원이 아님",
  remembered: "기억한 입금자와 다름",
  organisation: "기관이 보낸 돈",
  noDues: "회비가 아닌 것으로 기억한 내용",
  twin: "이미 저장한 거래일 수 있음",
  ...BANK_DOUBT_LABELS,
} as const;

export type AskReason = keyof typeof ASK_REASON_LABELS;
