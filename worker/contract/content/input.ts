import { z } from "zod";
import { CONTENT_CODES, CONTENT_FILES } from "./rules.ts";
import { requiredLine, id, isoDate, line } from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";

export const contentPath = z.object({ code: z.enum(CONTENT_CODES) });

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
