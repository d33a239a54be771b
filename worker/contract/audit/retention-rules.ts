import { valuesOf } from "../kernel/labels.ts";
import type { SitePermission } from "../kernel/permissions.ts";
import { choice, day } from "../kernel/row.ts";

/** How long before deletion an inactive member is notified. */
export const DELETION_WARNING_DAYS = 30;

export interface RetentionRuleText {
  label: string;
  since: string;
  hint: string;
  kind: string;
  min: number;
  max: number;
  days: number;
  on: boolean;
  /** Needed to change or run it besides `ADMIN_Access`: a right, or managing every board. */
  right?: SitePermission | "every board";
}

export const RETENTION_RULES = {
  leftover: {
    label: "탈퇴한 회원의 남은 정보",
    since: "탈퇴한 날",
    hint: "탈퇴하면 바로 파기합니다. 그 뒤에 보낸 안내 메일처럼 남은 것을 5일 안에 마저 파기합니다(표준 개인정보 보호지침 제10조).",
    kind: "회원정보",
    min: 0,
    max: 5,
    days: 5,
    on: true,
  },
  inactive: {
    label: "오래 이용하지 않은 회원",
    since: "마지막으로 이용한 날",
    hint: "30일 전에 메일로 알린 회원만 파기합니다. 관리자는 대상이 아닙니다.",
    kind: "회원정보",
    min: 90,
    max: 3650,
    days: 365,
    on: false,
  },
  refused: {
    label: "반려한 가입 신청",
    since: "반려한 날",
    hint: "아이디와 연락처는 반려하면 바로 지우므로 다시 신청할 수 있습니다. 이름과 가입 항목은 이 기간 동안 회원 목록에 남습니다.",
    kind: "가입 신청",
    min: 0,
    max: 365,
    days: 30,
    on: true,
  },
  consents: {
    label: "탈퇴한 회원의 동의 기록",
    since: "탈퇴한 날",
    hint: "필수 약관에 동의한 사실을 증명하려고 이름 없이 보관하던 기록입니다.",
    kind: "동의 기록",
    min: 0,
    max: 3650,
    days: 1095,
    on: false,
  },
  requests: {
    label: "처리한 개인정보 열람·정정 요청",
    since: "처리한 날",
    hint: "열람·정정·삭제·처리정지 요청과 그 답변입니다.",
    kind: "개인정보 열람·정정 요청",
    min: 30,
    max: 3650,
    days: 365,
    on: true,
  },
  inquiries: {
    label: "답변한 1:1 문의",
    since: "마지막으로 글이 오간 날",
    hint: "답변하였거나 종료한 문의입니다. 오간 글과 첨부파일을 함께 파기하며, 답변을 기다리는 문의는 대상이 아닙니다.",
    kind: "1:1 문의",
    min: 30,
    max: 3650,
    days: 1095,
    on: true,
    right: "Inquiry_Answer",
  },
  registrations: {
    label: "지난 행사의 신청",
    since: "행사가 끝난 날",
    hint: "신청한 회원과 답, 출석 기록입니다. 행사의 글과 신청 설정은 남습니다.",
    kind: "행사 신청",
    min: 30,
    max: 3650,
    days: 1095,
    on: true,
    right: "Event_Manage",
  },
  "guest-registrations": {
    label: "지난 행사의 비회원 신청",
    since: "행사가 끝난 날",
    hint: "비회원의 이름과 이메일, 답, 출석 기록과 보낸 메일입니다. 낸 참가비의 기록은 회비와 함께 보관합니다.",
    kind: "행사 비회원 신청",
    min: 30,
    max: 1095,
    days: 90,
    on: true,
    right: "Event_Manage",
  },
  "alumni-bin": {
    label: "주소록 휴지통의 사람",
    since: "삭제한 날",
    hint: "이 기간 안에는 주소록에서 되살릴 수 있습니다.",
    kind: "주소록 정보",
    min: 1,
    max: 365,
    days: 30,
    on: true,
    right: "Alumni_Delete",
  },
  "board-bin": {
    label: "휴지통의 글",
    since: "삭제한 날",
    hint: "이 기간 안에는 게시판의 휴지통에서 되살릴 수 있습니다. 댓글과 첨부파일도 함께 파기합니다.",
    kind: "게시글",
    min: 7,
    max: 365,
    days: 30,
    on: true,
    right: "every board",
  },
  comments: {
    label: "삭제한 댓글",
    since: "삭제한 날",
    hint: "화면에서는 삭제한 때부터 보이지 않습니다. 답글이 달린 댓글은 '삭제된 댓글입니다.'라는 자리만 남습니다.",
    kind: "댓글",
    min: 1,
    max: 365,
    days: 30,
    on: true,
    right: "every board",
  },
  drafts: {
    label: "쓰다 만 글",
    since: "마지막으로 고친 날",
    hint: "게시판에서 쓰다가 임시저장한 글입니다.",
    kind: "임시저장한 글",
    min: 1,
    max: 365,
    days: 90,
    on: true,
    right: "every board",
  },
  dues: {
    label: "회비와 입금 기록",
    since: "납부 기한(없으면 청구한 날)",
    hint: "청구한 회비와 맞춘 입금을 함께 파기합니다. 어느 회비와도 맞추지 않은 입금은 입금한 날부터 셉니다.",
    kind: "회비 기록",
    min: 365,
    max: 3650,
    days: 1825,
    on: true,
    right: "Dues_Manage",
  },
  messages: {
    label: "보낸 메일과 문자",
    since: "만든 날",
    hint: "받는 사람의 주소와 본문이 들어 있는 발송 기록입니다.",
    kind: "메일·문자 기록",
    min: 30,
    max: 3650,
    days: 365,
    on: true,
    right: "Alumni_Write",
  },
  "access-log": {
    label: "감사 기록(접속 기록)",
    since: "기록한 날",
    hint: "1년보다 짧게 정할 수 없고, 5만 명 이상의 정보를 다루면 2년 이상 보관해야 합니다(안전성 확보조치 기준 제8조).",
    kind: "접속 기록",
    min: 365,
    max: 3650,
    days: 730,
    on: true,
  },
} as const satisfies Record<string, RetentionRuleText>;

export const DESTRUCTION_RULE_NAMES: Record<string, string> = {
  retire: "본인 탈퇴",
  request: "정보주체의 삭제 요청",
  ...Object.fromEntries(Object.entries(RETENTION_RULES).map(([rule, { label }]) => [rule, label])),
};

export const DESTRUCTION_FILTERS = {
  rule: choice("규칙", DESTRUCTION_RULE_NAMES),
  from: day("날짜부터"),
  to: day("날짜까지"),
};

export type RetentionRule = keyof typeof RETENTION_RULES;

export const RETENTION_RULE_CODES = valuesOf(RETENTION_RULES);
