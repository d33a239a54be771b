import { valuesOf } from "../kernel/labels.ts";

export const MEMBER_STATUS_NAMES = { active: "정상", waiting: "승인 대기", blocked: "차단", retired: "탈퇴" };

export type MemberStatus = keyof typeof MEMBER_STATUS_NAMES;

export const MEMBER_STATUSES = valuesOf(MEMBER_STATUS_NAMES);

export const MEMBER_FILTERS = ["keyword", "status", "roleCode", "profileCode", "profileValue", "from", "to"];
