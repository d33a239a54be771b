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
  /** How many would be destroyed now; counted up to 1,000. */
  due: number;
  /** How many are to be told now that their account ends; `inactive` alone. */
  toTell: number;
}

export interface RetentionRuleSummary extends RetentionRuleCount {
  /** The administrator lacks the right to what the rule destroys. */
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
  /** There are more; they come when these are gone. */
  more: boolean;
  fingerprint: string;
  /** Members who are mailed before their account ends; `inactive` alone. */
  toTell: RetentionDueRow[];
  toTellFingerprint: string;
}
