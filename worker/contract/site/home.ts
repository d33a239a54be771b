import type { PicturePlace } from "../board/board.ts";
import type { CenterLink } from "../content/center.ts";

export const POPUP_POSITIONS = ["left", "center", "right"] as const;
export type PopupPosition = (typeof POPUP_POSITIONS)[number];
export const POPUP_SIZES = ["sm", "md", "lg"] as const;
export type PopupSize = (typeof POPUP_SIZES)[number];
/** The home page has room for this many ways on, and shows this many popups one after the other. */
export const QUICK_LINKS_MAX = 4;
export const POPUPS_SHOWN = 3;

export interface Popup {
  id: string;
  title: string;
  /** HTML, cleaned. */
  content: string;
  pictures: PicturePlace[];
  linkUrl: string;
  position: PopupPosition;
  size: PopupSize;
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
