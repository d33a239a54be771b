import { z } from "zod";
import { valuesOf } from "../kernel/labels.ts";
import {
  type BoardSort,
  type BoardSortField,
  BULK_ITEMS_MAX,
  REPORT_DESK,
  REPORT_REASON_CODES,
  REPORT_TEXT_LENGTH,
} from "./rules.ts";
import {
  dayField,
  flagField,
  idField,
  isoDateField,
  lineField,
  pageFields,
  pageNumber,
  pageSize,
  requiredLineField,
  requiredTextField,
  versionField,
} from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { uploadQuery } from "../file/input.ts";
import { FILE_TEXT_LETTERS } from "../file/rules.ts";
import { EVENT_LIMITS, eventProblems } from "./event-rules.ts";
import { startOfKoreanDay } from "../kernel/korea.ts";
import { endOfKoreanDay } from "../kernel/day-ends.ts";
import { SEARCH_ORDERS, SEARCH_TARGETS } from "./search-terms.ts";

const eventTimes = {
  isAllDay: flagField.default(false),
  startDate: isoDateField,
  endDate: isoDateField,
  place: lineField(EVENT_LIMITS.place).default(""),
};

/** An event's times and place with more fields. */
export const eventTimesInput = <More extends z.ZodRawShape>(more: More) =>
  z.object({ ...eventTimes, ...more }).transform((event, issues) => {
    // Runs after the fields, which report invalid dates.
    for (const [field, message] of Object.entries(eventProblems(event as never)))
      issues.addIssue({ code: "custom", path: [field], message });
    return event;
  });

export const eventInput = eventTimesInput({
  deadline: isoDateField.nullish(),
  isCancelled: flagField.default(false),
});

const line = lineField(30).default("");

const draftEventInput = z.object({
  isOn: flagField.default(false),
  isAllDay: flagField.default(false),
  start: line,
  end: line,
  place: lineField(EVENT_LIMITS.place).default(""),
  deadline: line,
  isCancelled: flagField.default(false),
});

export const boardCode = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, "게시판 코드가 올바르지 않습니다.");

export const itemNo = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "글 번호가 올바르지 않습니다.")
  .transform(Number);

const boardSortText = z
  .string()
  .regex(/^(createdDate|viewCount|title|itemNo),(ASC|DESC)$/, "정렬 기준이 올바르지 않습니다.");

const boardSort = boardSortText.default("createdDate,DESC").transform((value): BoardSort => {
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
  /** A row as `itemNo-viewCount`, from which orders by views or title are read on or back. */
  seek: z
    .string()
    .regex(/^(after|before)-[1-9]\d{0,8}-\d{1,10}$/, "이어 볼 자리가 올바르지 않습니다.")
    .optional(),
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

export const updateItemInput = z.object({
  ...itemFields,
  title: itemFields.title.optional(),
  content: itemFields.content.optional(),
  fileIds: z.array(idField).max(100).optional(),
  version: versionField,
});

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

export const listReportsQuery = z.object({
  status: z.enum(["open", "decided"]).default("open"),
  ...pageFields(20),
});

export const decideReportInput = z.object({
  decision: z.enum(valuesOf(REPORT_DESK.commands)),
  commentId: idField.nullish(),
});

export const boardUploadQuery = uploadQuery.extend({ boardCode });

const month = z
  .string()
  .regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)
  .optional()
  .catch(undefined);

/** Ignores invalid parameters of a page address. */
export const calendarPageQuery = z.object({ month, board: boardCode.optional().catch(undefined) });

function itemNos() {
  return z.array(z.number().int().min(1).max(999_999_999)).min(1).max(BULK_ITEMS_MAX);
}

/** `destroy` and `restore` apply to items in the recycle bin. */
export const bulkItemsInput = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["delete", "restore", "destroy"]), itemNos: itemNos() }),
  z.object({ action: z.literal("move"), itemNos: itemNos(), toBoardCode: boardCode }),
]);

export const deletedItemsQuery = z.object({ ...pageFields(20) });

const revision = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

export const revisionPath = z.object({ boardCode, itemNo, revision });

export const restoreRevisionInput = z.object({ version: versionField });

export const exportBoardQuery = z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") });

/** A day in Korea or a moment; with `end` a day includes its last moment. */
const searchMoment = (end: boolean) =>
  z.union([
    dayField.transform(startOfKoreanDay).transform((date) => (end ? endOfKoreanDay(date) : date)),
    isoDateField,
  ]);

const emptyAsUndefined = z.literal("").transform(() => undefined);

export const searchInput = z.object({
  keyword: requiredLineField(SIZE_LIMITS.keywordLength),
  target: z.enum(SEARCH_TARGETS).default("all"),
  from: z.union([emptyAsUndefined, searchMoment(false)]).nullish(),
  to: z.union([emptyAsUndefined, searchMoment(true)]).nullish(),
  boardCode: z.union([emptyAsUndefined, boardCode]).nullish(),
  order: z.enum(SEARCH_ORDERS).default("match"),
});

export const searchQuery = z.object({ ...pageFields(20), boardCode: boardCode.optional() });

export type SearchInput = z.output<typeof searchInput> & { page: number; size: number };

/** For a page address, where the keyword may be missing. */
export const searchPageQuery = z.object({
  /** Not limited here: the page reports a keyword that is too long. */
  keyword: z
    .string()
    .transform((value) => value.slice(0, 400))
    .default(""),
  target: z.enum(SEARCH_TARGETS).catch("all"),
  boardCode: boardCode.optional().catch(undefined),
  from: dayField.optional().catch(undefined),
  to: dayField.optional().catch(undefined),
  order: z.enum(SEARCH_ORDERS).catch("match"),
  page: pageNumber.catch(1),
});
