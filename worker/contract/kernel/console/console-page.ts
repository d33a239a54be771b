import type { SitePermission } from "../permissions.ts";

/** Rights to an area that pages of the console ask for beside the console's own. */
export const CONSOLE_RIGHTS = [
  "Inquiry_Answer",
  "Alumni_Read",
  "Alumni_Write",
] as const satisfies readonly SitePermission[];
export type ConsoleRight = (typeof CONSOLE_RIGHTS)[number];

/** Rows that administrators add, change, order and delete through `/api/admin/<code>`. */
export interface ConsoleRowKind {
  /** In the calls and in the audit codes; with _ for - it is the name of the table. */
  code: string;
  /** One of them, as the audit log calls it. */
  name: string;
  /** The field that says which one it is. */
  title: string;
}

/** A line of the console's menu, with the screen that it opens. */
export interface ConsolePage {
  /** Below /Admin, as links write it. */
  path: string;
  /** Its file below `app/routes/console`. */
  screen: string;
  label: string;
  /** What is set or found there, with commas between: the search of the console finds the page by these, too. */
  words: string;
  /** What the page is for, in a sentence. */
  purpose: string;
  /** What to mind there, in another. */
  advice: string;
  /** It is shown only where the site has centres, or where the administrator holds the right. */
  needs?: "centers" | ConsoleRight;
  /** Screens without a line of their own, by the rest of their address. */
  below?: Readonly<Record<string, string>>;
  row?: ConsoleRowKind;
}

/** A part of the console's menu. */
export interface ConsoleArea {
  label: string;
  pages: readonly ConsolePage[];
}
