import { z } from "zod";
import type { BoardWritePage, ItemFile, PicturePlace } from "./board.ts";
import { id, isoDate, line, requiredLine } from "./fields.ts";
import { INFO_PAGES, LEGAL_PAGES, type ContentCode, type LegalPageCode } from "./info-pages.ts";
import { SIZES } from "./limits.ts";
import type { DiffLine } from "./text.ts";

export const CONTENT_CODES = [...Object.keys(INFO_PAGES), ...Object.keys(LEGAL_PAGES), "banner"] as ContentCode[];
export const contentPath = z.object({ code: z.enum(CONTENT_CODES) });

export const CONTENT_FILES = {
  maxCount: 10,
  maxSize: SIZES.documentBytes,
  extensions: ["hwp", "hwpx", "pdf", "docx", "xlsx", "pptx", "zip"],
} as const;
/** These show figures, a map or one line under or in place of the text, and have no room for files. */
export const hasFiles = (code: ContentCode) =>
  code in INFO_PAGES && code !== "center" && code !== "residence" && code !== "banner";

const versionNo = z.number().int().min(1);
/** 0 as long as nothing was ever saved under the code. */
export const contentRowVersion = z.number().int().min(0);

export const saveContentInput = z.object({
  title: requiredLine(SIZES.titleLength),
  /** HTML; may be empty, and then the page says that it is being prepared. */
  content: z.string().max(SIZES.contentBytes),
  /** To download under the text, in this order. */
  fileIds: z.array(id).max(CONTENT_FILES.maxCount).default([]),
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
export const pageValue = z.object({
  title: z.string(),
  content: z.string(),
  fileIds: z.array(z.string()).default([]),
});
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
  modifiedUserName: string | null;
  version: number;
}

/** Who writes, and what he signs in with again when the session has run out. */
export type Writer = BoardWritePage["writer"];

export interface ContentEdit extends ContentInfo {
  /** The draft, or else what is published. */
  content: string;
  published: (PageValue & VersionInfo) | null;
  files: ItemFile[];
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
  files: ItemFile[];
  pictures: PicturePlace[];
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
