import { valuesOf } from "../kernel/labels.ts";
import type { AuditRow } from "../audit/log.ts";
import type { RetentionRule } from "../audit/retention-rules.ts";

/** 법 제35조 (access), 제36조 (correction, erasure), 제37조 (suspension). */
export const REQUEST_KIND_NAMES = { access: "열람", correction: "정정", erasure: "삭제", suspension: "처리정지" };

export type PrivacyRequestKind = keyof typeof REQUEST_KIND_NAMES;

export const REQUEST_KINDS = valuesOf(REQUEST_KIND_NAMES);

/** Effect of a granted suspension, shown before it is granted. */
export const SUSPENDED_MESSAGE =
  "단체 메일과 광고성 메일, 새 글·댓글 알림을 보내지 않고, 주소록에서 다른 회원에게 공개하신 연락처를 닫습니다";

export const REQUEST_STATUS_NAMES = { received: "접수", processing: "처리 중", done: "처리 완료", refused: "거절" };

export type PrivacyRequestStatus = keyof typeof REQUEST_STATUS_NAMES;

export const REQUEST_STATUSES = valuesOf(REQUEST_STATUS_NAMES);

export const REQUEST_LIMITS = { content: 2000, answer: 4000, extensionReason: 300 } as const;

export interface PrivacyRequestDetail extends PrivacyRequestRow {
  content: string;
  answer: string;
  extendedReason: string;
  handlerName: string;
  history: AuditRow[];
}

export interface PrivacyRequestRow {
  id: string;
  kind: (typeof REQUEST_KINDS)[number];
  status: (typeof REQUEST_STATUSES)[number];
  userId: string | null;
  requesterName: string;
  contact: string;
  receivedDate: string;
  dueDate: string;
  closedDate: string | null;
  overdue: boolean;
  version: number;
}

export interface OwnPrivacyRequestRow {
  id: string;
  kind: PrivacyRequestRow["kind"];
  status: PrivacyRequestRow["status"];
  content: string;
  answer: string;
  extendedReason: string;
  receivedDate: string;
  dueDate: string;
  closedDate: string | null;
}

export interface RetentionRuleCount {
  rule: RetentionRule;
  on: boolean;
  days: number;
  /** How many are due for destruction, counted up to 1,000. */
  due: number;
  /** How many get a notice before their account ends; only for `inactive`. */
  toTell: number;
}

export interface RetentionRuleSummary extends RetentionRuleCount {
  /** True when the administrator lacks the right to the rule's data. */
  isLocked: boolean;
}

export interface RetentionPage {
  rules: RetentionRuleSummary[];
  requestDays: number;
  version: number;
}

export interface RetentionDueRow {
  id: string;
  name: string;
  sinceDate: string;
}

export interface RetentionDueList {
  rule: RetentionRule;
  on: boolean;
  days: number;
  rows: RetentionDueRow[];
  more: boolean;
  fingerprint: string;
  /** Members who get a mail before their account ends; only for `inactive`. */
  toTell: RetentionDueRow[];
  toTellFingerprint: string;
}
