import { z } from "zod";
import type { DraftFile, DraftView } from "./draft.ts";
import type { Page } from "../kernel/envelope.ts";
import {
  flag,
  id,
  isoDate,
  line,
  pageNumber,
  pageSize,
  requiredLine,
  requiredText,
  RESIDENT_NUMBER_MESSAGE,
  version,
  withoutResidentNumber,
} from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";
import type { BoardPermissions } from "../site/site.ts";
import type { UserKeyType } from "../account/user.ts";

export const boardCode = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, "게시판 코드가 올바르지 않습니다.");
export const itemNo = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "글 번호가 올바르지 않습니다.")
  .transform(Number);

export const SORT_FIELDS = ["createdDate", "viewCount", "title", "itemNo"] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type Sort = { field: SortField; descending: boolean };
const sortText = z
  .string()
  .regex(/^(createdDate|viewCount|title|itemNo),(ASC|DESC)$/, "정렬 기준이 올바르지 않습니다.");
export const sort = sortText.default("createdDate,DESC").transform((value): Sort => {
  const [field, direction] = value.split(",");
  return { field: field as SortField, descending: direction === "DESC" };
});

export const listItemsQuery = z.object({
  boardCode,
  page: pageNumber,
  /** Absent: the board's own page size. */
  size: pageSize(0),
  sort,
  showItemToMain: flag.default(false),
  category: line(50).optional(),
});
export type ListItemsQuery = z.output<typeof listItemsQuery>;

export const itemPath = z.object({ boardCode, itemNo });
export const boardPath = z.object({ boardCode });
export const commentPath = z.object({ boardCode, itemNo, commentId: id });

const itemFields = {
  title: requiredLine(SIZES.titleLength).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE),
  content: z.string().min(1).max(SIZES.postBytes),
  category: line(50).optional(),
  isPinned: flag.optional(),
  isSecret: flag.optional(),
  showItemToMain: flag.optional(),
  fileIds: z.array(id).max(100).default([]),
  publishDate: isoDate.nullish(),
  pinnedUntil: isoDate.nullish(),
};
export const createItemInput = z.object(itemFields);
export type CreateItemInput = z.output<typeof createItemInput>;
/** `Idempotency-Key`: one a form, so that a double click or a repeated sending makes one item. */
export const idempotencyKey = z.string().regex(/^[\w-]{8,100}$/, "형식이 올바르지 않습니다.");
export const updateItemInput = z.object({
  ...itemFields,
  title: itemFields.title.optional(),
  content: itemFields.content.optional(),
  fileIds: z.array(id).max(100).optional(),
  version,
});
export type UpdateItemInput = z.output<typeof updateItemInput>;

export const commentsQuery = z.object({ boardCode, itemNo });
const commentContent = requiredText(SIZES.commentLength).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE);
export const createCommentInput = z.object({
  content: commentContent,
  parentCommentId: id.nullish(),
});
export const updateCommentInput = z.object({ content: commentContent, version });

export type BoardType = "list" | "gallery" | "faq";

export interface BoardInfo {
  boardCode: string;
  boardName: string;
  description: string;
  boardType: BoardType;
  categories: string[];
  pageSize: number;
  useComment: boolean;
  useSecret: boolean;
  file: { maxCount: number; maxSize: number; extensions: string[] };
  permissions: BoardPermissions;
}

export interface ItemRow {
  boardCode: string;
  itemNo: number;
  title: string;
  category: string;
  isPinned: boolean;
  isSecret: boolean;
  isNew: boolean;
  showItemToMain: boolean;
  createdUserName: string;
  /** ISO 8601 UTC. */
  createdDate: string;
  viewCount: number;
  commentCount: number;
  fileCount: number;
  thumbnailUrl: string | null;
}

export interface ItemPage extends Page<ItemRow> {
  pinned: ItemRow[];
}

export interface ItemFile {
  fileId: string;
  fileName: string;
  size: number;
  contentType: string;
  url: string;
}

export interface ItemNeighbour {
  itemNo: number;
  title: string;
}

export interface ItemView extends ItemRow {
  content: string;
  files: ItemFile[];
  version: number;
  mine: boolean;
  modifiedDate: string;
  pinnedUntil: string | null;
  previous: ItemNeighbour | null;
  next: ItemNeighbour | null;
}

export interface CommentView {
  commentId: string;
  parentCommentId: string | null;
  content: string;
  createdUserName: string;
  createdDate: string;
  isDeleted: boolean;
  mine: boolean;
  version: number;
}

/** What the pages of a board load. */
export interface BoardListPage {
  board: BoardInfo;
  items: ItemPage;
  /** The caller's own choices, as they stand in the address. */
  query: { page: number; size: number; sort: string; category: string };
  /** The texts of a FAQ's questions that the caller may read, by number; empty on other boards. */
  answers: Record<number, string>;
  /** Those of the answers. */
  pictures: PicturePlace[];
  /** Is the caller told of new items? Null where he cannot be. */
  following: boolean | null;
  /** What was reported here and waits for a decision; null for who does not manage the board. */
  openReports: number | null;
}
/** A picture of an item's text, in pixels as it is shown. */
export interface PicturePlace {
  fileId: string;
  width: number;
  height: number;
  isAnimated: boolean;
}
export interface BoardViewPage {
  board: BoardInfo;
  item: ItemView;
  pictures: PicturePlace[];
  comments: CommentView[];
  can: { change: boolean; comment: boolean; download: boolean; report: boolean };
}
/** An item as its writer edits it. */
export interface EditableItem {
  itemNo: number;
  title: string;
  content: string;
  category: string;
  isPinned: boolean;
  pinnedUntil: string | null;
  isSecret: boolean;
  showItemToMain: boolean;
  /** Still to come; null once it has appeared. */
  publishDate: string | null;
  version: number;
  files: DraftFile[];
}
export interface BoardWritePage {
  board: BoardInfo;
  item: EditableItem | null;
  draft: DraftView | null;
  /** Who writes, and what he signs in with again when the session has run out. */
  writer: { userId: string; userName: string; userKeyType: UserKeyType; userKeyCode: string };
}
export interface HomePage {
  /** `items` is null where they could not be read just now. */
  boards: { boardCode: string; boardName: string; items: ItemRow[] | null }[];
}
