import type { ReportReason } from "./rules.ts";
import type { DiffLine } from "../kernel/text.ts";
import type { BoardAction } from "../kernel/permissions.ts";
import type { Page } from "../kernel/envelope.ts";
import type { ItemFile, PicturePlace } from "../file/view.ts";
import type { WriterIdentity } from "../account/view.ts";
import type { DraftInput } from "./input.ts";
import type { SearchOrder, SearchTarget } from "./search-terms.ts";

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
    isManaged: boolean;
  })[];
  roles: { roleCode: string; roleName: string }[];
}

export type BoardType = "list" | "gallery" | "faq";

/** Name and description in the page's language, if translated. */
export interface BoardInfo extends BoardBase {
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

export interface BoardListPage {
  board: BoardInfo;
  items: ItemPage;
  query: { page: number; size: number; sort: string; category: string };
  answers: Record<number, string>;
  pictures: PicturePlace[];
  /** Null when the caller cannot follow the board. */
  following: boolean | null;
  /** Open reports; null for callers who do not manage the board. */
  openReports: number | null;
}

export interface BoardViewPage {
  board: BoardInfo;
  item: ItemView;
  pictures: PicturePlace[];
  comments: CommentView[];
  can: { change: boolean; comment: boolean; download: boolean; report: boolean };
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
  files: DraftFile[];
}

export interface BoardWritePage {
  board: BoardInfo;
  item: EditableItem | null;
  draft: DraftView | null;
  writer: WriterIdentity;
}

export interface HomePage {
  /** `items` is null when they could not be read. */
  boards: { boardCode: string; boardName: string; total: number; items: ItemRow[] | null }[];
}

export interface CalendarEvent extends BoardLink {
  itemNo: number;
  title: string;
  event: EventView;
}

export interface CalendarPage {
  /** 2026-12 */
  month: string;
  /** In Korea: 2026-12-11. */
  today: string;
  boards: BoardLink[];
  /** Public boards, which offer a calendar feed. */
  feeds: string[];
  boardCode: string;
  events: CalendarEvent[];
  /** Upcoming events, regardless of the month. */
  coming: CalendarEvent[];
}

export type DraftFields = DraftInput["fields"];

interface DraftFile {
  fileId: string;
  fileName: string;
  size: number;
}

export interface DraftView {
  title: string;
  content: string;
  fields: DraftFields;
  files: DraftFile[];
  modifiedDate: string;
}

export interface DeletedItemRow extends ItemRow {
  deletedDate: string;
  /** When the item is destroyed; null without a retention rule. */
  purgeDate: string | null;
}

type DeletedItemPage = Page<DeletedItemRow>;

export interface DeletedItemPageData {
  board: BoardInfo;
  deletedItems: DeletedItemPage;
  /** How long deleted items can be restored; null for ever. */
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
  revisions: ItemRevisionRow[];
  chosen: (ItemRevisionRow & { before: number | null; isCurrent: boolean; lines: DiffLine[] }) | null;
}

export interface BoardReportsPage extends Page<ReportedContent> {
  board: BoardInfo;
}

/** An item or comment with all its reports. Reporters are never revealed. */
export interface ReportedContent {
  boardCode: string;
  boardName: string;
  itemNo: number;
  commentId: string | null;
  title: string;
  content: string;
  createdUserName: string;
  /** True when it is in the recycle bin or deleted. */
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

export interface SearchHit extends ItemRow {
  boardName: string;
  excerpt: string;
  /** Escaped HTML with `<mark>` around the hits. */
  highlight: { title: string; content: string; fileNames: string[] };
  fileNames: string[];
  attachments: { fileName: string; excerpt: string }[];
}

export interface PageHit {
  kind: "page" | "center";
  title: string;
  path: string;
  excerpt: string;
}

export interface SearchPage extends Page<SearchHit> {
  highlight: string[];
  also: string[];
  more: boolean;
  /** True when no item matches every word, and these lack one. */
  isNear: boolean;
}

export interface SearchPageData {
  query: {
    keyword: string;
    target: SearchTarget;
    boardCode: string;
    from: string;
    to: string;
    order: SearchOrder;
  };
  boards: { boardCode: string; boardName: string }[];
  board: BoardInfo | null;
  result: SearchPage | null;
  pages: PageHit[];
  error: string | null;
}
