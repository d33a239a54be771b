import { INFO_PAGES, LEGAL_PAGES, type ContentCode } from "./info-pages.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const CONTENT_CODES = [...Object.keys(INFO_PAGES), ...Object.keys(LEGAL_PAGES), "banner"] as ContentCode[];

export const CONTENT_FILES = {
  maxCount: 10,
  maxSize: SIZE_LIMITS.documentBytes,
  extensions: ["hwp", "hwpx", "pdf", "docx", "xlsx", "pptx", "zip"],
} as const;

/** These show figures, a map or one line under or in place of the text, and have no room for files. */
export const canHaveFiles = (code: ContentCode) =>
  code in INFO_PAGES && code !== "center" && code !== "residence" && code !== "banner";
