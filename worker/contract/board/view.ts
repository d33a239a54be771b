import type { BOARD_FIELDS, BOARD_READER_FIELDS } from "./fields.ts";
import type { SentValues } from "../kernel/row.ts";
import type { BoardAction } from "../kernel/permissions.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { StoredFile } from "../file/view.ts";
import type { DraftInput } from "./input.ts";

export interface AdminBoard extends SentValues<typeof BOARD_FIELDS> {
  boardCode: string;
  itemCount: number;
  isClosed: boolean;
  version: number;
  grant: Record<string, BoardAction[]>;
}

/** Name and description in the page's language, if translated. */
export interface BoardInfo extends SentValues<typeof BOARD_READER_FIELDS> {
  boardCode: string;
  categoryNames?: Record<string, string>;
  file: { maxCount: number; maxSize: number; extensions: string[] };
  permissions: BoardPermissions;
}

export interface EventView {
  isAllDay: boolean;
  /** ISO 8601 UTC. */
  startDate: string;
  /** Exclusive. */
  endDate: string;
  /** Days in Korea: 2026-12-11. */
  firstDay: string;
  lastDay: string;
  place: string;
  deadline: string | null;
  isCancelled: boolean;
  /** In Korean days: 0 today, negative after the start. */
  daysLeft: number;
  isOver: boolean;
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
  createdDate: string;
  viewCount: number;
  commentCount: number;
  fileCount: number;
  thumbnailUrl: string | null;
  /** Null for an item without an event, or a hidden one. */
  event: EventView | null;
}

export interface ItemPage extends Page<ItemRow> {
  pinned: ItemRow[];
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

export interface EditableItem {
  itemNo: number;
  title: string;
  content: string;
  category: string;
  isPinned: boolean;
  pinnedUntil: string | null;
  isSecret: boolean;
  showItemToMain: boolean;
  /** A future date; null once the item is published. */
  publishDate: string | null;
  event: EventView | null;
  version: number;
  files: StoredFile[];
}

export interface CalendarEvent extends BoardLink {
  itemNo: number;
  title: string;
  event: EventView;
}

export type DraftFields = DraftInput["fields"];

export interface DraftView {
  title: string;
  content: string;
  fields: DraftFields;
  files: StoredFile[];
  modifiedDate: string;
}

export interface DeletedItemRow extends ItemRow {
  deletedDate: string;
  /** When the item is destroyed; null without a retention rule. */
  purgeDate: string | null;
}

export interface BoardLink {
  boardCode: string;
  boardName: string;
}

export type BoardPermissions = Record<Lowercase<BoardAction>, boolean>;

export interface SearchHit extends ItemRow {
  boardName: string;
  excerpt: string;
  /** Escaped HTML with `<mark>` around the hits. */
  highlight: { title: string; content: string; fileNames: string[] };
  fileNames: string[];
  attachments: { fileName: string; excerpt: string }[];
  /** Around the first comment with a word, or empty. */
  comment: string;
}

export interface PageHit {
  kind: "page" | "center" | "screen";
  title: string;
  path: string;
  excerpt: string;
  /** Of a centre. */
  phone: string;
  /** Names of attached files with a word. */
  fileNames: string[];
  /** How many items of the first page come before it. */
  itemsBefore: number;
}
