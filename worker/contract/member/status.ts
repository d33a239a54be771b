// Without zod, for the pages.
// Without zod, for the pages.
export const MEMBER_STATUSES = ["active", "waiting", "blocked", "retired"] as const;

export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export const MEMBER_STATUS_NAMES: Record<MemberStatus, string> = {
  active: "정상",
  waiting: "승인 대기",
  blocked: "차단",
  retired: "탈퇴",
};

/** What narrows the list of members, as it stands in the address. */
export const MEMBER_FILTERS = ["keyword", "status", "roleCode", "profileCode", "profileValue", "from", "to"];
