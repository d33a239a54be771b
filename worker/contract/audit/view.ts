import type { Page } from "../kernel/envelope.ts";
import type { PrivacySettings } from "./retention-input.ts";

export interface AuditSubjectRow {
  id: string;
  subjectType: "user" | "alumni";
  name: string;
  email: string;
}

export interface AuditSubjectsView {
  row: AuditRow;
  people: Page<AuditSubjectRow>;
}

export type HealthState = "ok" | "failed" | "off" | "local";

export interface AuditRow {
  id: number;
  createdDate: string;
  actorUserId: string | null;
  actorName: string;
  address: string;
  action: string;
  targetType: string;
  targetId: string;
  targetName: string;
  subjectCount: number;
  reason: string;
  detail: Record<string, unknown> | null;
  /** The missing permission, without which only who, when and the kind of action are shown. */
  lacks: string | null;
}

export interface AuditLogPage extends Page<AuditRow> {
  foldedReads: number;
}

export interface PrivacySettingView {
  value: PrivacySettings;
  version: number;
}

export interface DestructionRow {
  id: number;
  createdDate: string;
  kind: string;
  rule: string;
  basis: string;
  subjectRef: string;
  count: number;
  actorName: string;
  automatic: boolean;
}
