import type { AuditRow } from "../audit/view.ts";
import { type REQUEST_KINDS, type REQUEST_STATUSES } from "./rules.ts";
import type { RetentionRule } from "../audit/retention-rules.ts";

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
