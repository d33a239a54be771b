import type { CenterValue } from "./center-input.ts";
import type { ItemFile, PicturePlace } from "../file/view.ts";

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

export interface AnnouncedAgreement {
  code: string;
  title: string;
  effectiveDate: string;
}

export const centersPath = (productCode: string) => `/${productCode}/center`;

export const centerPath = (productCode: string, regionCode: string) => `${centersPath(productCode)}/${regionCode}`;

export const residencePath = (productCode: string) => `/${productCode}/residence`;
