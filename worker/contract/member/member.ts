import { valuesOf } from "../kernel/labels.ts";
import type { UserType } from "../kernel/permissions.ts";
import type { UserKeyType } from "../account/rules.ts";
import type { AuditRow } from "../audit/log.ts";

export const MEMBER_STATUS_NAMES = { active: "정상", waiting: "승인 대기", blocked: "차단", retired: "탈퇴" };

export type MemberStatus = keyof typeof MEMBER_STATUS_NAMES;

export const MEMBER_STATUSES = valuesOf(MEMBER_STATUS_NAMES);

export const MEMBER_FILTERS = ["keyword", "status", "roleCode", "profileCode", "profileValue", "from", "to"];

export interface MemberRow {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  roleName: string;
  status: MemberStatus;
  keys: { userKeyType: UserKeyType; userKeyCode: string; verified: boolean }[];
  createdDate: string;
  lastSigninDate: string | null;
  version: number;
}

export interface MemberListRow extends MemberRow {
  profile: Record<string, string>;
}

export interface MemberDetail extends MemberRow {
  profile: { name: string; value: string }[];
  consents: { code: string; title: string; version: string; agreed: boolean; createdDate: string }[];
  /** Additional roles, current or future; `endDate` is exclusive. */
  grants: {
    grantId: string;
    roleCode: string;
    roleName: string;
    startDate: string;
    endDate: string | null;
    isNow: boolean;
  }[];
  sessions: { createdDate: string; lastUsedDate: string; address: string; userAgent: string }[];
  itemCount: number;
  commentCount: number;
  /** When processing based on consent was suspended (법 제37조). */
  suspendedDate: string | null;
  history: AuditRow[];
  /** False where the account holds what the viewer does not: then every act on it is refused. */
  canAdminister: boolean;
}
