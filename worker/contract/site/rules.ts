export const POPUPS_SHOWN_MAX = 3;

export const MENU_TARGET_MAX = 300;

export const MENU_ENTRIES_MAX = 12;

export const ALUMNI_MENU_TARGET = "alumni";
export const HOME_ACTIONS_MAX = 2;

export const HOME_BOARDS_MAX = 2;

export const FOOTER_LINKS_MAX = 8;

export const LOGO_NAMES = ["light", "dark", "icon", "share"] as const;

export type LogoName = (typeof LOGO_NAMES)[number];

/** Characters of base64; all pictures together fit into one settings file. */
export const LOGO_LIMITS = { light: 120_000, dark: 120_000, icon: 120_000, share: 400_000 } as const;

/** Largest size in pixels: display size on a high-density screen. */
export const LOGO_PIXELS = {
  light: { width: 480, height: 96 },
  dark: { width: 480, height: 96 },
  icon: { width: 192, height: 192 },
  share: { width: 1200, height: 630 },
} as const;

export const SETTING_FILE_FORMAT = 1;

/** Largest size of a settings file, and row limits of otherwise unlimited sections. */
export const SETTING_FILE_LIMITS = { bytes: 3 * 1024 * 1024, popups: 50, agreements: 30, pageTexts: 50 } as const;

export const SETTING_FILE_TOO_LARGE =
  "안내 페이지와 동의 문서, 팝업의 글이 많아 파일 하나로 옮길 수 없습니다. '글도 함께'를 끄고 설정만 내보내 주십시오.";

export const UNREADABLE_SETTING_FILE = "설정 파일이 아니거나, 다른 버전의 설정 파일입니다.";

export const MENU_LABEL_MAX = 20;

export const ENGLISH_LABEL_MAX = 40;

export const SITEMAP_PAGES = "pages.xml";

/** @property part from 1, by the numbers of the items */
export interface SitemapPart {
  boardCode: string;
  part: number;
}

export const sitemapPartName = ({ boardCode, part }: SitemapPart): string => `${boardCode}-${part}.xml`;

/** @param name from `sitemapPartName` */
export function readSitemapPartName(name: string): SitemapPart | null {
  const [, boardCode, part] = /^([a-z][a-z0-9-]{0,29})-([1-9]\d{0,6})\.xml$/.exec(name) ?? [];
  return boardCode && part ? { boardCode, part: Number(part) } : null;
}
