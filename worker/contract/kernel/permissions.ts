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

/** A region's own page, and nothing else of the console. */
export function centerPermission(regionCode: string): PermissionCode {
  return `Center_${regionCode}_Manage`;
}

/** The region that such a permission is for. */
export function regionOfPermission(code: string): string | null {
  return /^Center_([a-z]+)_Manage$/.exec(code)?.[1] ?? null;
}

/** To see the people of one cohort and to propose what is right of them; nothing else of the address book. */
export function cohortPermission(cohort: number): PermissionCode {
  return `Alumni_Cohort_${cohort}`;
}

/** The cohort that such a permission is for. */
export function cohortOfPermission(code: string): number | null {
  const cohort = /^Alumni_Cohort_([1-9]\d{0,2})$/.exec(code)?.[1];
  return cohort === undefined ? null : Number(cohort);
}

/** The role of everybody who signs up. */
export const SIGNUP_ROLE_CODE = "member";

const BOARD_PERMISSION = /^Board_(.+)_[A-Z][a-z]+$/;

/**
 * Is the code among those held, or part of one that is? Managing a board is all of it, the console has every centre, and
 * whoever corrects the address book has every cohort.
 */
export function includesPermission(held: ReadonlySet<string>, code: string): boolean {
  if (held.has(code)) return true;
  const boardCode = BOARD_PERMISSION.exec(code)?.[1];
  if (boardCode) return held.has(boardPermission(boardCode, "Manage"));
  if (cohortOfPermission(code) !== null) return held.has("Alumni_Write");
  return regionOfPermission(code) !== null && held.has("ADMIN_Access");
}

/** Every code there is on a site with these boards and regions. */
export const permissionCodes = (boardCodes: readonly string[], regionCodes: readonly string[]): PermissionCode[] => [
  ...SITE_PERMISSIONS,
  ...boardCodes.flatMap((code) => BOARD_ACTIONS.map((action) => boardPermission(code, action))),
  ...regionCodes.map(centerPermission),
];

/** Of those that there are, or of a cohort: people of any number may come. */
export const isKnownPermission = (known: ReadonlySet<string>, code: string): boolean =>
  known.has(code) || cohortOfPermission(code) !== null;

/** What a new board grants to the roles that exist from the start. */
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
