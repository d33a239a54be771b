import type { CenterLink } from "./center.ts";

export interface Popup {
  id: string;
  title: string;
  /** HTML, cleaned. */
  content: string;
  linkUrl: string;
}

export interface QuickLink {
  label: string;
  note: string;
  href: string;
}

/** What stands on the home page around the boards. */
export interface HomeExtras {
  banner: { title: string; text: string } | null;
  quickLinks: QuickLink[];
  popups: Popup[];
  centers: CenterLink[];
  subjects: { total: number; asOfDate: string } | null;
}
