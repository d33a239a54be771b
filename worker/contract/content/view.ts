import type { CenterValue } from "./center-input.ts";
import type { ContentCode, InfoPage, LegalPageCode, PageLook } from "./info-pages.ts";
import type { ContentValue } from "./input.ts";
import type { ItemFile, PicturePlace } from "../file/view.ts";
import type { DiffLine } from "../kernel/diff.ts";

export interface CenterView extends CenterValue {
  regionCode: string;
}

/** What the map and the list beside it need. */
export type CenterLink = Pick<CenterView, "regionCode" | "regionName" | "centerName" | "address" | "phone"> & {
  /** In an English page: the centre has no other name than its Korean one. */
  isKorean?: true;
};

/** How far a text is that has drafts and versions. */
interface EditState {
  status: "draft" | "published";
  hasDraft: boolean;
  versionNo: number | null;
  modifiedDate: string | null;
  modifiedUserName: string | null;
  version: number;
}

export interface CenterEdit extends CenterView, EditState {}

export type CenterHistory = (ContentVersionInfo & { value: CenterValue })[];

export interface ContentVersionInfo {
  versionNo: number;
  effectiveDate: string;
  createdDate: string;
  createdUserName: string;
  note: string;
}

/** A row of the administrator's list. */
export interface ContentInfo extends EditState {
  code: ContentCode;
  label: string;
  path: string;
  title: string;
}

export interface ContentEdit extends ContentInfo {
  /** The draft, or else what is published. */
  content: string;
  englishTitle: string;
  englishContent: string;
  published: (ContentValue & ContentVersionInfo) | null;
  files: ItemFile[];
}

export interface ContentSection {
  id: string;
  title: string;
}

/** The information pages as the console lists them. */
export interface InfoPagesView {
  version: number;
  pages: (InfoPage & {
    href: string;
    /** There from the beginning: it can be hidden, not taken away. */
    isFirst: boolean;
    hasText: boolean;
  })[];
}

export interface PageParent {
  label: string;
  href: string;
}

/** A page as its readers get it; `content` is empty when there is nothing to show yet. */
export interface ContentPage {
  /** Empty for an English page that nobody has written. */
  title: string;
  /** There is an English page beside the Korean one. */
  hasEnglish: boolean;
  content: string;
  sections: ContentSection[];
  files: ItemFile[];
  pictures: PicturePlace[];
  modifiedDate: string | null;
  /** An administrator looks at what is not published. */
  isPreview: boolean;
}

/** An information page with its place among the others. */
export interface InfoContentPage extends ContentPage {
  look: PageLook;
  parents: PageParent[];
}

export interface LegalPage extends ContentPage {
  code: LegalPageCode;
  versionNo: number | null;
  effectiveDate: string | null;
  versions: { versionNo: number; effectiveDate: string; isUpcoming: boolean; isCurrent: boolean }[];
  /** With `compare`: the lines of the older text against the shown one. */
  comparison: { versionNo: number; effectiveDate: string; lines: DiffLine[] } | null;
}

export interface AdminAgreement {
  code: string;
  title: string;
  required: boolean;
  version: string;
  effectiveDate: string;
  isCurrent: boolean;
  /** Begins on a later day by itself; until then it can be taken back. */
  isAnnounced: boolean;
  /** How many members got the mail about it; `isMailing` while there are more to come. */
  mailedCount: number;
  isMailing: boolean;
  textHash: string;
}

export interface AdminAgreementText extends AdminAgreement {
  content: string;
}

/** What every page says of a version that begins on a later day. */
export type AnnouncedAgreement = Pick<AdminAgreement, "code" | "title" | "effectiveDate">;

/** The next version of an agreement, or the one in force where none is announced, beside the one before it. */
export interface AgreementChange extends AnnouncedAgreement {
  version: string;
  required: boolean;
  isUpcoming: boolean;
  content: string;
  pictures: PicturePlace[];
  before: { version: string; effectiveDate: string } | null;
  lines: DiffLine[];
}

/** What changed from one version to another. */
export interface AgreementComparison {
  code: string;
  title: string;
  /** Newest first. */
  versions: AdminAgreement[];
  from: string;
  to: string;
  lines: DiffLine[];
}
