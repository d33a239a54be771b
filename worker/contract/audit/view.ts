import type { Page } from "../kernel/envelope.ts";
import type { PrivacySettings } from "./retention-input.ts";

export interface AuditSubjectRow {
  id: string;
  subjectType: "user" | "alumni";
  /** As the person is called now; empty when nothing is known any more. */
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
  /** As it is called now; empty where it is gone. */
  targetName: string;
  subjectCount: number;
  reason: string;
  detail: Record<string, unknown> | null;
  /** The permission that the reader lacks: nothing but who, when and what kind of act is shown. */
  lacks: string | null;
}

export interface AuditLogPage extends Page<AuditRow> {
  /** Looks that the search would find and the list leaves out. */
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
