import type { SitePermission } from "../permissions.ts";

/** Permissions that pages and fields of the console require in addition to ADMIN_Access. */
export const CONSOLE_RIGHTS = [
  "Inquiry_Answer",
  "Alumni_Read",
  "Alumni_Write",
  "Dues_Manage",
  "Event_Manage",
  "Research_Manage",
  "Research_Decide",
  "CaseReport_Access",
  "Mail_Template",
] as const satisfies readonly SitePermission[];
export type ConsoleRight = (typeof CONSOLE_RIGHTS)[number];

/** Rows with generic calls at `/api/admin/<code>`. */
export interface ConsoleRowKind {
  /** Used in calls and audit codes; the table's name has _ for -. */
  code: string;
  name: string;
  title: string;
}

export interface ConsolePage {
  /** Below /Admin, as links write it. */
  path: string;
  screen: string;
  label: string;
  words: string;
  purpose: string;
  advice: string;
  /** Name of the work that is counted next to the page in the menu. */
  waits?: string;
  /** Hidden unless the site has centres or kinds of certificates, or the administrator has the permission. */
  needs?: "centers" | "certificates" | "proposals" | ConsoleRight;
  /** Child screens, by the rest of their address. */
  below?: Readonly<Record<string, string>>;
  row?: ConsoleRowKind;
}

export interface ConsoleArea {
  /** Heading of the group; empty for links above all groups. */
  label: string;
  pages: readonly ConsolePage[];
}
