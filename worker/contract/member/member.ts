import { z } from "zod";
import { profileFieldCode, roleCode } from "../site/setting.ts";
import { id, line, pageNumber, pageSize, requiredLine, version } from "../kernel/fields.ts";
import { MEMBER_STATUSES, type MemberStatus } from "./status.ts";
import { email } from "../account/user.ts";
import type { UserKeyType, UserType } from "../account/rules.ts";

const day = z.iso.date({ error: "날짜를 2026-01-31 형식으로 입력해 주십시오." });
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

export const filterShape = {
  keyword: line(100).optional(),
  status: optional(z.enum(MEMBER_STATUSES)),
  roleCode: optional(roleCode),
  /** A sign-up field, and what stands somewhere in it. */
  profileCode: optional(profileFieldCode),
  profileValue: line(100).optional(),
  /** Joined, both days counted, in Korean time. */
  from: optional(day),
  to: optional(day),
};
export const listMembersQuery = z.object({
  ...filterShape,
  sort: z
    .enum([
      "createdDate,DESC",
      "createdDate,ASC",
      "lastSigninDate,DESC",
      "lastSigninDate,ASC",
      "userName,ASC",
      "userName,DESC",
    ])
    .default("createdDate,DESC"),
  page: pageNumber,
  size: pageSize(20),
});
export type ListMembersQuery = z.output<typeof listMembersQuery>;
export const memberPath = z.object({ id });

const ids = z.array(id).min(1, "회원을 한 명 이상 선택해 주십시오.").max(500);
const reason = requiredLine(200);
export const noInput = z.object({});
export const membersInput = z.object({ ids });
export const reasonInput = z.object({ reason });
export const membersReasonInput = z.object({ ids, reason });
export const memberRoleInput = z.object({ ids, roleCode, userType: z.enum(["Member", "Admin"]).optional() });
export type MemberRoleInput = z.output<typeof memberRoleInput>;
export const memberEmailInput = z.object({ email, reason, version });
export type MemberEmailInput = z.output<typeof memberEmailInput>;
export const exportMembersInput = z.object({
  filter: z.object(filterShape).default({}),
  format: z.enum(["csv", "xlsx"]),
  reason,
});
export type ExportMembersInput = z.output<typeof exportMembersInput>;

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
  /** Code to text, of the fields that sign-up asks for. */
  profile: Record<string, string>;
}
export interface MemberDetail extends MemberRow {
  profile: { name: string; value: string }[];
  consents: { code: string; title: string; version: string; agreed: boolean; createdDate: string }[];
  /** Roles held beside the own one, now or from a day to come; `endDate` is exclusive. */
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
  /** Since when what rests on his choice is stopped (법 제37조). */
  suspendedDate: string | null;
  history: AuditRow[];
}
export interface AuditRow {
  id: number;
  createdDate: string;
  actorUserId: string | null;
  actorName: string;
  address: string;
  action: string;
  targetType: string;
  targetId: string;
  subjectCount: number;
  reason: string;
  detail: Record<string, unknown> | null;
}
/** How many of those named were changed; the rest were not in a state for it. */
export interface BulkResult {
  changed: number;
}
