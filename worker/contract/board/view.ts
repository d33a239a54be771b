import type { ReportReason } from "./rules.ts";
import type { DiffLine } from "../kernel/diff.ts";
import type { BoardAction } from "../kernel/permissions.ts";
import type { Page } from "../kernel/envelope.ts";
import type { ItemFile, PicturePlace } from "../file/view.ts";
import type { WriterIdentity } from "../account/view.ts";
import type { DraftInput } from "./input.ts";

/** What a board is for its readers and for the office alike. */
interface BoardBase {
  boardCode: string;
  boardName: string;
  description: string;
  boardType: BoardType;
  categories: string[];
  pageSize: number;
  useComment: boolean;
  useSecret: boolean;
  useEvents: boolean;
}

export interface AdminBoard extends BoardBase {
  englishName: string;
  englishDescription: string;
  /** In the order of `categories`. */
  englishCategories: string[];
  fileMaxCount: number;
  fileMaxSize: number;
  fileExtensions: string[];
  itemCount: number;
  isClosed: boolean;
  version: number;
  grant: Record<string, BoardAction[]>;
}

export interface BoardsPage {
  boards: (AdminBoard & {
    /** The administrator may change it, open it and close it. */
    isManaged: boolean;
  })[];
  roles: { roleCode: string; roleName: string }[];
}

export type BoardType = "list" | "gallery" | "faq";

/** As its pages show it: name and description in their language, as far as they have one in it. */
export interface BoardInfo extends BoardBase {
  /** What an English page calls the categories that have an English name. */
  categoryNames?: Record<string, string>;
  file: { maxCount: number; maxSize: number; extensions: string[] };
  permissions: BoardPermissions;
}

/** When and where an item takes place. */
export interface EventView {
  isAllDay: boolean;
  /** ISO 8601 UTC. */
  startDate: string;
  /** The first moment after it. */
  endDate: string;
  /** The days in Korea that it stands on: 2026-12-11. */
  firstDay: string;
  lastDay: string;
  place: string;
  deadline: string | null;
  isCancelled: boolean;
  /** Days until the first one in Korea: 0 today, below 0 once it has begun. */
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
  /** ISO 8601 UTC. */
  createdDate: string;
  viewCount: number;
  commentCount: number;
  fileCount: number;
  thumbnailUrl: string | null;
  /** Null where it is none, or may not be known. */
  event: EventView | null;
}

export interface ItemPage extends Page<ItemRow> {
  pinned: ItemRow[];
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
  /** Is the caller told of new items? Null where they cannot be. */
  following: boolean | null;
  /** What was reported here and waits for a decision; null for who does not manage the board. */
  openReports: number | null;
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
  event: EventView | null;
  version: number;
  files: DraftFile[];
}

export interface BoardWritePage {
  board: BoardInfo;
  item: EditableItem | null;
  draft: DraftView | null;
  /** Who writes, and what they sign in with again when the session has run out. */
  writer: WriterIdentity;
}

export interface HomePage {
  /** `items` is null where they could not be read just now. */
  boards: { boardCode: string; boardName: string; total: number; items: ItemRow[] | null }[];
}

/** An event as a calendar shows it. */
export interface CalendarEvent extends BoardLink {
  itemNo: number;
  title: string;
  event: EventView;
}

/** A month of the calendar. */
export interface CalendarPage {
  /** 2026-12 */
  month: string;
  /** In Korea: 2026-12-11. */
  today: string;
  /** Those with events that the reader may list. */
  boards: BoardLink[];
  /** Those of them that guests may read, whose calendar an app can follow. */
  feeds: string[];
  /** The one that was chosen; empty for all. */
  boardCode: string;
  /** By their beginning. */
  events: CalendarEvent[];
  /** From now on, whatever the month. */
  coming: CalendarEvent[];
}

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

export interface DeletedItemRow extends ItemRow {
  deletedDate: string;
  /** When the scheduled job removes it for good; null where the bin is not emptied by itself. */
  purgeDate: string | null;
}

export type DeletedItemPage = Page<DeletedItemRow>;

export interface DeletedItemPageData {
  board: BoardInfo;
  deletedItems: DeletedItemPage;
  /** How long what was deleted can be brought back; null for ever. */
  keptDays: number | null;
}

export interface ItemRevisionRow {
  version: number;
  title: string;
  modifiedUserName: string;
  modifiedDate: string;
}

export interface ItemRevisionView extends ItemRevisionRow {
  content: string;
  category: string;
}

export interface ItemHistoryPageData {
  board: BoardInfo;
  item: { itemNo: number; title: string; version: number };
  /** Newest first. */
  revisions: ItemRevisionRow[];
  /** The chosen version against the one before it. */
  chosen: (ItemRevisionRow & { before: number | null; isCurrent: boolean; lines: DiffLine[] }) | null;
}

/** What was reported in one board, for who manages it. */
export interface BoardReportsPage extends Page<ReportedContent> {
  board: BoardInfo;
}

/** One item or comment, with everything that was reported of it. Who reported is kept from everybody. */
export interface ReportedContent {
  boardCode: string;
  boardName: string;
  itemNo: number;
  commentId: string | null;
  /** Of the item. */
  title: string;
  /** What was reported, without its tags. */
  content: string;
  createdUserName: string;
  /** It lies in the bin, or was deleted. */
  isGone: boolean;
  status: "open" | "dismissed" | "hidden";
  decidedDate: string | null;
  reports: { reason: ReportReason; text: string; createdDate: string }[];
}

export interface BoardLink {
  boardCode: string;
  boardName: string;
}

export type BoardPermissions = Record<Lowercase<BoardAction>, boolean>;
