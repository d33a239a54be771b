import { SIZE_LIMITS } from "../kernel/limits.ts";

export const LINK_URL_MAX = 300;

export const isPeriodInOrder = ({ startDate, endDate }: { startDate: Date; endDate: Date }) => startDate < endDate;

export const WRONG_PERIOD_ISSUE = { path: ["endDate"], message: "끝나는 때가 시작하는 때보다 뒤여야 합니다." };

export const POPUP_POSITIONS = ["left", "center", "right"] as const;

export const POPUP_SIZES = ["sm", "md", "lg"] as const;

/** The home page has room for this many ways on, and shows this many popups one after the other. */
export const QUICK_LINKS_MAX = 4;

export const POPUPS_SHOWN_MAX = 3;

export const MENU_TARGET_MAX = 300;

export const MENU_ENTRIES_MAX = 12;

export const ALUMNI_MENU_TARGET = "alumni";
export const SETTING_FILE_FORMAT = 1;

export const UNREADABLE_SETTING_FILE = "설정 파일이 아니거나, 다른 판의 설정 파일입니다.";

export const SITE_LIMITS = {
  siteName: 50,
  productName: 50,
  description: 300,
  copyright: 200,
  organization: 100,
  address: SIZE_LIMITS.addressLength,
  phone: SIZE_LIMITS.phoneLength,
  fax: SIZE_LIMITS.phoneLength,
  email: 100,
} as const;

export const POPUP_TITLE_MAX = 100;

export const QUICK_LINK_LIMITS = { label: 20, note: 30 } as const;

export const MENU_LABEL_MAX = 20;

export type PopupPosition = (typeof POPUP_POSITIONS)[number];

export type PopupSize = (typeof POPUP_SIZES)[number];
