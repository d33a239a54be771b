import type { Bell } from "#worker/contract/mail/mail.ts";
import type { MenuEntry } from "./input.ts";
import type { PopupValues } from "./rows.ts";
import type { PicturePlace } from "../file/view.ts";
import type { AnnouncedAgreement, CenterLink } from "../content/view.ts";
import type { SettingDocument } from "./transfer-input.ts";
import type { Versioned } from "#worker/contract/kernel/errors.ts";
import type { ShownHomePart, SiteLink, SiteSettings } from "../kernel/setting/site-setting.ts";
import type { BoardLink, CalendarEvent } from "../board/view.ts";
import type { ConsoleRight } from "../kernel/console/console-page.ts";
import type { SiteWords } from "../kernel/wording.ts";
import type { AccountRules } from "../kernel/setting/identity-rules.ts";

export interface PopupView {
  id: string;
  title: string;
  /** Sanitized HTML. */
  content: string;
  pictures: PicturePlace[];
  linkUrl: string;
  position: PopupValues["position"];
  size: PopupValues["size"];
}

export interface QuickLinkView {
  label: string;
  note: string;
  href: string;
}

export interface HomeExtras {
  isBare?: true;
  parts: ShownHomePart[];
  actions: Pick<SiteLink, "label" | "href">[];
  banner: { title: string; text: string } | null;
  quickLinks: QuickLinkView[];
  popups: PopupView[];
  centers: CenterLink[];
  events: CalendarEvent[];
  subjects: { total: number; asOfDate: string } | null;
}

export interface MenuItem {
  label: string;
  href?: string;
  children?: MenuItem[];
}

export interface MenuSettingView {
  value: { entries: MenuEntry[] };
  version: number;
  targets: { target: string; label: string }[];
}

export interface SettingChange {
  section: keyof Omit<SettingDocument, "kind" | "format">;
  code: string;
  name: string;
  /** `kept`: the file differs, but this site's value stays for the reason in `follows`. */
  kind: "new" | "changed" | "kept";
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  follows: string[];
}

export interface SettingStay extends Pick<SettingChange, "section" | "code" | "name"> {
  inFile: boolean;
}

export interface SettingImport {
  changes: SettingChange[];
  stays: SettingStay[];
  fingerprint: string;
  isApplied: boolean;
}

export type SiteSettingView = Versioned<SiteSettings>;

/** Look and words of the society, as far as they differ from the defaults. */
export interface SiteLook {
  words: SiteWords;
  colors?: string;
  themeColor?: string;
  logo?: string;
  hasNoCenters?: true;
  hasNoCaseReport?: true;
  hasProposals?: true;
  /** Absent where members issue their own. */
  certificates?: "office" | "none";
  footerLinks?: Pick<SiteLink, "label" | "href">[];
  hasEnglish?: true;
  footerText?: string;
}

export interface SiteFrame {
  announced?: AnnouncedAgreement[];
  look: SiteLook;
  site: Pick<SiteSettings, "siteName" | "productName" | "description" | "contact" | "copyright"> & {
    productCode: string;
  };
  boards: BoardLink[];
  feeds: string[];
  menu: MenuItem[];
  user: {
    id: string;
    userName: string;
    isAdministrator: boolean;
    consoleRights: ConsoleRight[];
    /** Regions that they manage without being an administrator. */
    centers: { regionCode: string; regionName: string }[];
    bell: Bell;
  } | null;
  roleCodeForGuest: string;
  rules: AccountRules;
}

export interface BoardClosing {
  items: number;
  comments: number;
  followers: number;
  places: string[];
}
