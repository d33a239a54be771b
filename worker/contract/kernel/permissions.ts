export type UserType = "Member" | "Admin";

/** Permission codes, contract.md section 1. */
export const BOARD_ACTIONS = ["List", "View", "Write", "Comment", "Download", "Manage"] as const;

export type BoardAction = (typeof BOARD_ACTIONS)[number];

export const SITE_PERMISSIONS = [
  "ADMIN_Access",
  "Alumni_Read",
  "Alumni_Write",
  "Alumni_Delete",
  "Alumni_Export",
  "Alumni_Import",
  "Dues_Manage",
  "Event_Manage",
  "Research_Manage",
  "Research_Decide",
  "CaseReport_Access",
  "Inquiry_Answer",
  "Mail_Template",
] as const;

export type SitePermission = (typeof SITE_PERMISSIONS)[number];

export type PermissionCode =
  | SitePermission
  | `Board_${string}_${BoardAction}`
  | `Center_${string}_Manage`
  | `Alumni_Cohort_${number}`;

export function boardPermission(boardCode: string, action: BoardAction): PermissionCode {
  return `Board_${boardCode}_${action}`;
}

export function centerPermission(regionCode: string): PermissionCode {
  return `Center_${regionCode}_Manage`;
}

export function regionOfPermission(code: string): string | null {
  return /^Center_([a-z]+)_Manage$/.exec(code)?.[1] ?? null;
}

/** Grants viewing one cohort and proposing corrections only. */
export function cohortPermission(cohort: number): PermissionCode {
  return `Alumni_Cohort_${cohort}`;
}

export function cohortOfPermission(code: string): number | null {
  const cohort = /^Alumni_Cohort_([1-9]\d{0,2})$/.exec(code)?.[1];
  return cohort === undefined ? null : Number(cohort);
}

export const SIGNUP_ROLE_CODE = "member";

const BOARD_PERMISSION = /^Board_(.+)_[A-Z][a-z]+$/;

/** Managing a board includes all its actions, the console every centre, correcting the address book every cohort. */
export function includesPermission(held: ReadonlySet<string>, code: string): boolean {
  if (held.has(code)) return true;
  const boardCode = BOARD_PERMISSION.exec(code)?.[1];
  if (boardCode) return held.has(boardPermission(boardCode, "Manage"));
  if (cohortOfPermission(code) !== null) return held.has("Alumni_Write");
  return regionOfPermission(code) !== null && held.has("ADMIN_Access");
}

export const permissionCodes = (boardCodes: readonly string[], regionCodes: readonly string[]): PermissionCode[] => [
  ...SITE_PERMISSIONS,
  ...boardCodes.flatMap((code) => BOARD_ACTIONS.map((action) => boardPermission(code, action))),
  ...regionCodes.map(centerPermission),
];

export const isKnownPermission = (known: ReadonlySet<string>, code: string): boolean =>
  known.has(code) || cohortOfPermission(code) !== null;

export const DEFAULT_BOARD_GRANT: Record<"guest" | "member" | "administrator", readonly BoardAction[]> = {
  guest: ["List", "View", "Download"],
  member: ["List", "View", "Write", "Comment", "Download"],
  administrator: BOARD_ACTIONS,
};

export interface PermissionSet {
  /** A system administrator (userType Admin) holds every permission. */
  all: boolean;
  codes: ReadonlySet<string>;
}

export function hasPermission(permissions: PermissionSet, code: PermissionCode): boolean {
  return permissions.all || permissions.codes.has(code);
}

export const SITE_PERMISSION_NAMES: Record<SitePermission, string> = {
  ADMIN_Access: "관리 화면",
  Alumni_Read: "주소록 보기",
  Alumni_Write: "주소록 등록·수정",
  Alumni_Delete: "주소록에서 삭제",
  Alumni_Export: "주소록 내보내기",
  Alumni_Import: "주소록 가져오기",
  Dues_Manage: "회비 관리",
  Event_Manage: "행사 신청 관리",
  Research_Manage: "연구 제안 관리",
  Research_Decide: "연구 제안 결정",
  CaseReport_Access: "연계 서비스 이용",
  Inquiry_Answer: "1:1 문의 답변",
  Mail_Template: "인증번호·주소가 든 메일 문구 수정",
};

export const BOARD_ACTION_NAMES: Record<BoardAction, string> = {
  List: "목록",
  View: "읽기",
  Write: "쓰기",
  Comment: "댓글",
  Download: "내려받기",
  Manage: "관리",
};
