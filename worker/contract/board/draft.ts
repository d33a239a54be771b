import { z } from "zod";
import { boardCode, itemNo } from "./board.ts";
import { flag, id, line } from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";

export const draftPath = z.object({ boardCode });
export const draftQuery = z.object({ itemNo: itemNo.optional() });

/** A form as it stands, finished or not: nothing is required, and dates are what the controls hold. */
export const draftInput = z.object({
  title: line(SIZES.titleLength).default(""),
  content: z.string().max(SIZES.postBytes).default(""),
  fields: z
    .object({
      category: line(50).default(""),
      isPinned: flag.default(false),
      pinnedUntil: line(30).default(""),
      isSecret: flag.default(false),
      showItemToMain: flag.default(false),
      publishDate: line(30).default(""),
      fileIds: z.array(id).max(100).default([]),
      /** Of the item when the writing began; 0 for a new one. */
      version: z.number().int().min(0).default(0),
      /** Of this writing: a new item that was sent before, by whatever screen, is not made twice. */
      formKey: z
        .string()
        .regex(/^[0-9a-f]{0,64}$/)
        .default(""),
    })
    .prefault({}),
});
export type DraftInput = z.output<typeof draftInput>;
export type DraftFields = DraftInput["fields"];

export interface DraftFile {
  fileId: string;
  fileName: string;
  size: number;
}

export interface DraftView {
  title: string;
  content: string;
  fields: DraftFields;
  /** Those of `fields.fileIds` that are still there. */
  files: DraftFile[];
  modifiedDate: string;
}
