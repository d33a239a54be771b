import { z } from "zod";
import { isoDate, line, requiredLine } from "./fields.ts";
import { INFO_PAGES, LEGAL_PAGES, type ContentCode, type LegalPageCode } from "./info-pages.ts";
import { SIZES } from "./limits.ts";

export const CONTENT_CODES = [...Object.keys(INFO_PAGES), ...Object.keys(LEGAL_PAGES), "banner"] as ContentCode[];
export const contentPath = z.object({ code: z.enum(CONTENT_CODES) });

const versionNo = z.number().int().min(1);
/** 0 as long as nothing was ever saved under the code. */
export const contentRowVersion = z.number().int().min(0);

export const saveContentInput = z.object({
  title: requiredLine(SIZES.titleLength),
  /** HTML; may be empty, and then the page says that it is being prepared. */
  content: z.string().max(SIZES.contentBytes),
  version: contentRowVersion,
});
export type SaveContentInput = z.output<typeof saveContentInput>;

export const publishInput = z.object({
  version: versionNo,
  /** From when the text is in force; now, unless told. */
  effectiveDate: isoDate.optional(),
  note: line(200).default(""),
});
export type PublishInput = z.output<typeof publishInput>;
export const rowVersionInput = z.object({ version: versionNo });
export const restoreInput = z.object({ version: versionNo, versionNo });
export type RestoreInput = z.output<typeof restoreInput>;

export const historyPath = contentPath.extend({
  versionNo: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number),
});

/** What is kept of a page under one version. */
export const pageValue = z.object({ title: z.string(), content: z.string() });
export type PageValue = z.output<typeof pageValue>;

export interface VersionInfo {
  versionNo: number;
  effectiveDate: string;
  createdDate: string;
  createdUserName: string;
  note: string;
}

/** A row of the administrator's list. */
export interface ContentInfo {
  code: ContentCode;
  label: string;
  path: string;
  title: string;
  status: "draft" | "published";
  hasDraft: boolean;
  versionNo: number | null;
  modifiedDate: string | null;
  version: number;
}

export interface ContentEdit extends ContentInfo {
  /** The draft, or else what is published. */
  content: string;
  published: (PageValue & VersionInfo) | null;
}

export interface Section {
  id: string;
  title: string;
}

/** A page as its readers get it; `content` is empty when there is nothing to show yet. */
export interface ContentPage {
  title: string;
  content: string;
  sections: Section[];
  modifiedDate: string | null;
  /** An administrator looks at what is not published. */
  isPreview: boolean;
}

export interface LegalPage extends ContentPage {
  code: LegalPageCode;
  versionNo: number | null;
  effectiveDate: string | null;
  versions: { versionNo: number; effectiveDate: string; isUpcoming: boolean; isCurrent: boolean }[];
  /** With `compare`: the lines of the older text against the shown one. */
  comparison: { versionNo: number; effectiveDate: string; lines: DiffLine[] } | null;
}

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}
