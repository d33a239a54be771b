import { z } from "zod";
import { type BoardSort, type BoardSortField, REPORT_REASON_CODES, REPORT_TEXT_LENGTH } from "./rules.ts";
import {
  pageNumber,
  pageSize,
  flagField,
  lineField,
  idField,
  requiredLineField,
  isoDateField,
  versionField,
  requiredTextField,
  pageFields,
} from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { uploadQuery } from "../file/input.ts";
import { draftEventInput, eventInput } from "./event-input.ts";
import { FILE_TEXT_LETTERS } from "../file/rules.ts";

export const boardCode = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, "게시판 코드가 올바르지 않습니다.");

export const itemNo = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "글 번호가 올바르지 않습니다.")
  .transform(Number);

const boardSortText = z
  .string()
  .regex(/^(createdDate|viewCount|title|itemNo),(ASC|DESC)$/, "정렬 기준이 올바르지 않습니다.");

export const boardSort = boardSortText.default("createdDate,DESC").transform((value): BoardSort => {
  const [field, direction] = value.split(",");
  return { field: field as BoardSortField, descending: direction === "DESC" };
});

export const listItemsQuery = z.object({
  boardCode,
  page: pageNumber,
  size: pageSize(0),
  sort: boardSort,
  showItemToMain: flagField.default(false),
  category: lineField(50).optional(),
});

export type ListItemsQuery = z.output<typeof listItemsQuery>;

export const itemPath = z.object({ boardCode, itemNo });

export const boardPath = z.object({ boardCode });

export const commentPath = z.object({ boardCode, itemNo, commentId: idField });

const itemFields = {
  title: requiredLineField(SIZE_LIMITS.titleLength),
  content: z.string().min(1).max(SIZE_LIMITS.postBytes),
  category: lineField(50).optional(),
  isPinned: flagField.optional(),
  isSecret: flagField.optional(),
  showItemToMain: flagField.optional(),
  fileIds: z.array(idField).max(100).default([]),
  publishDate: isoDateField.nullish(),
  pinnedUntil: isoDateField.nullish(),
  /** For boards with events; null removes the item's event. */
  event: eventInput.nullish(),
};

export const createItemInput = z.object(itemFields);

export type CreateItemInput = z.output<typeof createItemInput>;

export const updateItemInput = z.object({
  ...itemFields,
  title: itemFields.title.optional(),
  content: itemFields.content.optional(),
  fileIds: z.array(idField).max(100).optional(),
  version: versionField,
});

export type UpdateItemInput = z.output<typeof updateItemInput>;

export const commentsQuery = z.object({ boardCode, itemNo });

export const createCommentInput = z.object({
  content: requiredTextField(SIZE_LIMITS.commentLength),
  parentCommentId: idField.nullish(),
});

export const updateCommentInput = z.object({
  content: requiredTextField(SIZE_LIMITS.commentLength),
  version: versionField,
});

export const fileTextPath = z.object({ fileId: idField });

export const fileTextInput = z.object({ text: z.string().min(1).max(FILE_TEXT_LETTERS) });
export type FileTextInput = z.output<typeof fileTextInput>;

export const draftPath = z.object({ boardCode });

export const draftQuery = z.object({ itemNo: itemNo.optional() });

/** An incomplete form: nothing is required, dates are raw control values. */
export const draftInput = z.object({
  title: lineField(SIZE_LIMITS.titleLength).default(""),
  content: z.string().max(SIZE_LIMITS.postBytes).default(""),
  fields: z
    .object({
      category: lineField(50).default(""),
      isPinned: flagField.default(false),
      pinnedUntil: lineField(30).default(""),
      isSecret: flagField.default(false),
      showItemToMain: flagField.default(false),
      publishDate: lineField(30).default(""),
      fileIds: z.array(idField).max(100).default([]),
      event: draftEventInput.prefault({}),
      version: z.number().int().min(0).default(0),
      /** The idempotency key of a new item. */
      formKey: z
        .string()
        .regex(/^[0-9a-f]{0,64}$/)
        .default(""),
    })
    .prefault({}),
});

export type DraftInput = z.output<typeof draftInput>;

export const reportInput = z
  .object({
    reason: z.enum(REPORT_REASON_CODES, { error: "신고 사유를 골라 주십시오." }),
    text: lineField(REPORT_TEXT_LENGTH).default(""),
    commentId: idField.nullish(),
  })
  .refine(({ reason, text }) => reason !== "other" || text !== "", {
    path: ["text"],
    error: "그 밖의 사유는 내용을 적어 주십시오.",
  });

export type ReportInput = z.output<typeof reportInput>;

export const listReportsQuery = z.object({
  status: z.enum(["open", "decided"]).default("open"),
  ...pageFields(20),
});

export type ListReportsQuery = z.output<typeof listReportsQuery>;

export const decideReportInput = z.object({ decision: z.enum(["dismiss", "hide"]), commentId: idField.nullish() });

export type DecideReportInput = z.output<typeof decideReportInput>;

export const boardUploadQuery = uploadQuery.extend({ boardCode });
