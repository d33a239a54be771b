import { INFO_PAGES, LEGAL_PAGES, type ContentCode } from "./info-pages.ts";
import { SIZES } from "../kernel/limits.ts";

export const CONTENT_CODES = [...Object.keys(INFO_PAGES), ...Object.keys(LEGAL_PAGES), "banner"] as ContentCode[];

export const CONTENT_FILES = {
  maxCount: 10,
  maxSize: SIZES.documentBytes,
  extensions: ["hwp", "hwpx", "pdf", "docx", "xlsx", "pptx", "zip"],
} as const;

/** These show figures, a map or one line under or in place of the text, and have no room for files. */
export const hasFiles = (code: ContentCode) =>
  code in INFO_PAGES && code !== "center" && code !== "residence" && code !== "banner";
