import { valuesOf } from "../kernel/labels.ts";
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

export interface RetentionDueRow {
  id: string;
  name: string;
  sinceDate: string;
}
