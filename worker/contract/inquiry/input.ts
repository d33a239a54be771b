import { z } from "zod";
import { filterShape } from "../kernel/row-input.ts";
import { idField, requiredLineField, requiredTextField, versionField, pageFields } from "../kernel/fields.ts";
import { INQUIRY_CATEGORIES, INQUIRY_FILES, INQUIRY_FILTERS, INQUIRY_LIMITS } from "./inquiry.ts";

const messageShape = {
  content: requiredTextField(INQUIRY_LIMITS.content),
  fileIds: z
    .array(idField)
    .max(INQUIRY_FILES.maxCount)
    .default([])
    .transform((ids) => [...new Set(ids)]),
};

export const submitInquiryInput = z.object({
  category: z.enum(INQUIRY_CATEGORIES),
  subject: requiredLineField(INQUIRY_LIMITS.subject),
  ...messageShape,
});

export type SubmitInquiryInput = z.output<typeof submitInquiryInput>;

export const addInquiryMessageInput = z.object(messageShape);

export type InquiryMessageInput = z.output<typeof addInquiryMessageInput>;

/** Optimistic lock: newer messages must be read before an answer. */
export const answerInquiryInput = z.object({ ...messageShape, version: versionField });

export const closeInquiryInput = z.object({ version: versionField });

export const listOwnInquiriesQuery = z.object({ ...pageFields(20) });

export type ListOwnInquiriesQuery = z.output<typeof listOwnInquiriesQuery>;

export const listInquiriesQuery = z.object({
  ...filterShape(INQUIRY_FILTERS),
  ...pageFields(20),
});
