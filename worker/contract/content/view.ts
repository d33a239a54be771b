import type { CenterValue } from "./center-input.ts";
import type { ContentCode, InfoPage, LegalPageCode } from "./info-pages.ts";
import type { ItemFile, PicturePlace } from "../file/view.ts";
import type { DiffLine } from "../kernel/text.ts";

export interface CenterView extends CenterValue {
  regionCode: string;
}

export type CenterLink = Pick<CenterView, "regionCode" | "regionName" | "centerName" | "address" | "phone"> & {
  isKorean?: true;
};

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

export interface ContentInfo extends EditState {
  code: ContentCode;
  label: string;
  path: string;
  title: string;
}

export interface InfoPagesView {
  version: number;
  pages: (InfoPage & {
    href: string;
    /** A built-in page, which can be hidden but not deleted. */
    isFirst: boolean;
    hasText: boolean;
  })[];
}

/** `content` is empty while there is nothing to show. */
export interface ContentPage {
  /** Empty for an untranslated English page. */
  title: string;
  hasEnglish: boolean;
  content: string;
  files: ItemFile[];
  pictures: PicturePlace[];
  modifiedDate: string | null;
  isPreview: boolean;
}

export interface LegalPage extends ContentPage {
  code: LegalPageCode;
  versionNo: number | null;
  effectiveDate: string | null;
  versions: { versionNo: number; effectiveDate: string; isUpcoming: boolean; isCurrent: boolean }[];
  comparison: { versionNo: number; effectiveDate: string; lines: DiffLine[] } | null;
}

export interface AdminAgreement {
  code: string;
  title: string;
  required: boolean;
  version: string;
  effectiveDate: string;
  isCurrent: boolean;
  /** Takes effect on a later day; can be withdrawn until then. */
  isAnnounced: boolean;
  /** `isMailing` is true until every member is notified. */
  mailedCount: number;
  isMailing: boolean;
  textHash: string;
}

export type AnnouncedAgreement = Pick<AdminAgreement, "code" | "title" | "effectiveDate">;

export const centersPath = (productCode: string) => `/${productCode}/center`;

export const centerPath = (productCode: string, regionCode: string) => `${centersPath(productCode)}/${regionCode}`;

export const residencePath = (productCode: string) => `/${productCode}/residence`;
