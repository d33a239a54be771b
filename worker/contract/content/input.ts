import { z } from "zod";
import { contentCode } from "./info-page-input.ts";
import { CONTENT_FILES, PUBLISH_NOTE_MAX } from "./rules.ts";
import { requiredLineField, idField, isoDateField, lineField } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const contentPath = z.object({ code: contentCode });

const versionNo = z.number().int().min(1);

export const contentRowVersion = z.number().int().min(0);

/** Empty while untranslated: the English page says so. */
const englishText = {
  englishTitle: lineField(SIZE_LIMITS.titleLength).default(""),
  englishContent: z.string().max(SIZE_LIMITS.contentBytes).default(""),
};

export const saveContentInput = z.object({
  title: requiredLineField(SIZE_LIMITS.titleLength),
  /** HTML; when empty, the page says that it is being prepared. */
  content: z.string().max(SIZE_LIMITS.contentBytes),
  ...englishText,
  fileIds: z.array(idField).max(CONTENT_FILES.maxCount).default([]),
  version: contentRowVersion,
});

export type SaveContentInput = z.output<typeof saveContentInput>;

export const publishContentInput = z.object({
  version: versionNo,
  effectiveDate: isoDateField.optional(),
  note: lineField(PUBLISH_NOTE_MAX).default(""),
});

export type PublishContentInput = z.output<typeof publishContentInput>;

export const contentVersionInput = z.object({ version: versionNo });

export const restoreContentInput = z.object({ version: versionNo, versionNo });

export type RestoreContentInput = z.output<typeof restoreContentInput>;

export const contentHistoryPath = contentPath.extend({
  versionNo: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number),
});

export const contentValue = z.object({
  title: z.string(),
  content: z.string(),
  englishTitle: z.string().default(""),
  englishContent: z.string().default(""),
  fileIds: z.array(z.string()).default([]),
});

export type ContentValue = z.output<typeof contentValue>;
