import type { MenuEntry } from "./menu-input.ts";
import type { PopupPosition, PopupSize } from "./rules.ts";
import type { SetupStep } from "./setup-rules.ts";
import type { PicturePlace } from "../file/view.ts";
import type { AnnouncedAgreement, CenterLink } from "../content/view.ts";
import type { SettingDocument } from "./transfer-input.ts";
import type { ConsoleRowView, Versioned } from "../kernel/envelope.ts";
import type { SiteSettings } from "../kernel/site-setting.ts";
import type { BoardLink, CalendarEvent } from "../board/view.ts";
import type { ConsoleRight } from "../kernel/console/console-page.ts";
import type { OwnWords } from "../kernel/product-words.ts";
import type { IdentitySettings, ShownHomePart, SiteLink } from "../kernel/identity-setting.ts";
import type { AccountRules } from "../kernel/identity-rules.ts";

export interface AdminPopup extends Omit<PopupView, "pictures"> {
  englishTitle: string;
  englishContent: string;
  startDate: string;
  endDate: string;
  isClosed: boolean;
  /** Now, for a visitor. */
  isShown: boolean;
  modifiedDate: string;
  version: number;
}

export type AdminQuickLink = ConsoleRowView<QuickLinkView & { englishLabel: string; englishNote: string }>;

export interface PopupView {
  id: string;
  title: string;
  /** HTML, cleaned. */
  content: string;
  pictures: PicturePlace[];
  linkUrl: string;
  position: PopupPosition;
  size: PopupSize;
}

export interface QuickLinkView {
  label: string;
  note: string;
  href: string;
}

/** What stands on the home page around the boards. */
export interface HomeExtras {
  /** Could not be read just now. */
  isBare?: true;
  parts: ShownHomePart[];
  /** The ways on in the first picture. */
  actions: Pick<SiteLink, "label" | "href">[];
  banner: { title: string; text: string } | null;
  quickLinks: QuickLinkView[];
  popups: PopupView[];
  centers: CenterLink[];
  /** The next ones that the visitor may read. */
  events: CalendarEvent[];
  subjects: { total: number; asOfDate: string } | null;
}

/** As every page's header, footer and drawer show it. */
export interface MenuItem {
  label: string;
  /** Beside `children` it is the page of the whole group. */
  href?: string;
  children?: MenuItem[];
}

export interface MenuSettingView {
  value: { entries: MenuEntry[] };
  version: number;
  /** What a link may lead to, by name. */
  targets: { target: string; label: string }[];
}

export interface SettingChange {
  section: keyof Omit<SettingDocument, "kind" | "format">;
  /** Which field or role; empty for a section that is one document. */
  code: string;
  /** What people call it; empty where the code says it. */
  name: string;
  /** `kept`: the file has another, and this site's stays, as `follows` says. */
  kind: "new" | "changed" | "kept";
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** What comes of it, in sentences. */
  follows: string[];
}

/** A row that the file does not change. */
export interface SettingStay extends Pick<SettingChange, "section" | "code" | "name"> {
  /** Does it stand in the file, too? */
  inFile: boolean;
}

export interface SettingImport {
  changes: SettingChange[];
  stays: SettingStay[];
  fingerprint: string;
  isApplied: boolean;
}

export type SiteSettingView = Versioned<SiteSettings>;

export interface SiteInfo extends SiteSettings {
  productCode: string;
  boards: BoardLink[];
  centers: {
    regionCode: string;
    regionName: string;
    centerName: string;
    address: string;
    phone: string;
    url: string;
  }[];
  caseReport: { enabled: boolean };
}

/** How this society's pages look and what they call things, as far as it is other than at the beginning. */
export interface SiteLook {
  words: OwnWords;
  /** Declarations of a style sheet. */
  colors?: string;
  themeColor?: string;
  /** Changes with the logo. */
  logo?: string;
  hasNoCenters?: true;
  hasNoCaseReport?: true;
  footerLinks?: Pick<SiteLink, "label" | "href">[];
  /** Pages of it are written in English, too. */
  hasEnglish?: true;
  footerText?: string;
}

export interface IdentitySettingView {
  value: IdentitySettings;
  version: number;
  logoVersion: number;
  boards: BoardLink[];
}

/** What every page's shell shows. */
export interface SiteFrame {
  /** Agreements that change on a later day; without one there is no such field. */
  announced?: AnnouncedAgreement[];
  look: SiteLook;
  site: Pick<SiteSettings, "siteName" | "productName" | "description" | "contact" | "copyright"> & {
    productCode: string;
  };
  boards: BoardLink[];
  /** Codes of the boards that have a feed. */
  feeds: string[];
  menu: MenuItem[];
  user: {
    id: string;
    userName: string;
    isAdministrator: boolean;
    /** Held by some who are no administrators, too. */
    consoleRights: ConsoleRight[];
    /** Whose pages they look after, without being an administrator. */
    centers: { regionCode: string; regionName: string }[];
    /** What the bell counts, as a text: in a kept page it has a place of its own. */
    unread: string;
  } | null;
  /** What somebody who is not signed in acts as. */
  roleCodeForGuest: string;
  rules: AccountRules;
}

/** The first page of 마이페이지. */
export interface MypageOverview {
  userName: string;
  counts: { items: number; comments: number; devices: number };
  items: (BoardLink & { itemNo: number; title: string; createdDate: string; commentCount: number })[];
  comments: (BoardLink & { itemNo: number; title: string; content: string; createdDate: string })[];
  /** `itemNo` null for an item that is new. */
  drafts: (BoardLink & { itemNo: number | null; title: string; modifiedDate: string })[];
  following: BoardLink[];
}

/** What visitors lose with a board that is closed. */
export interface BoardClosing {
  items: number;
  comments: number;
  /** Who are told of its new items. */
  followers: number;
  /** Links to it, as they are named on the site. */
  places: string[];
}

/** What a new site still needs. */
export interface SetupView {
  steps: { step: SetupStep; isDone: boolean }[];
  /** Null where people may join; else what they read instead. */
  signupClosed: string | null;
  /** Nothing was ever written there: a draft can be made. */
  withoutText: ("terms" | "privacy")[];
}
