import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DraftFields } from "#worker/contract/board/view.ts";
import {
  closableColumns,
  dateColumn,
  deletableColumns,
  flagColumn,
  partialIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
  writerColumns,
} from "../columns.ts";
import type { ReportReason, ReportStatus } from "#worker/contract/board/rules.ts";

export const board = sqliteTable(
  "board",
  {
    boardCode: text().primaryKey(),
    boardName: requiredText(),
    description: textColumn(),
    englishName: textColumn(),
    englishDescription: textColumn(),
    englishCategories: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    boardType: text().$type<"list" | "gallery" | "faq">().notNull().default("list"),
    categories: text({ mode: "json" }).$type<string[]>().notNull(),
    pageSize: integer().notNull().default(10),
    useComment: integer({ mode: "boolean" }).notNull().default(true),
    useSecret: flagColumn(),
    useEvents: flagColumn(),
    fileMaxCount: integer().notNull().default(10),
    fileMaxSize: integer().notNull(),
    fileExtensions: text({ mode: "json" }).$type<string[]>().notNull(),
    lastItemNo: integer().notNull().default(0),
    /** Excludes deleted items; kept by triggers, so that no page counts rows. */
    itemCount: integer().notNull().default(0),
    ...closableColumns(),
  },
  (table) => [index("board_order").on(table.sortOrder)],
);

export const boardItem = sqliteTable(
  "board_item",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    boardCode: requiredText().references(() => board.boardCode),
    itemNo: integer().notNull(),
    title: requiredText(),
    content: requiredText(),
    category: textColumn(),
    isPinned: flagColumn(),
    pinnedUntil: dateColumn(),
    isSecret: flagColumn(),
    showItemToMain: flagColumn(),
    isCommentClosed: flagColumn(),
    ...writerColumns(),
    /** `createdDate` is the publication date, in the future for scheduled items. */
    ...deletableColumns(),
    viewCount: integer().notNull().default(0),
    commentCount: integer().notNull().default(0),
    fileCount: integer().notNull().default(0),
    thumbnailFileId: text(),
    /** Null for items without an event; `eventEnd` is exclusive, Korean midnight for whole days. */
    eventStart: dateColumn(),
    eventEnd: dateColumn(),
    isEventAllDay: flagColumn(),
    eventPlace: textColumn(),
    eventDeadline: dateColumn(),
    isEventCancelled: flagColumn(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("board_item_no").on(table.boardCode, table.itemNo),
    partialIndex("board_item_created", sql`deleted_date IS NULL`, table.boardCode, table.createdDate, table.itemNo),
    partialIndex("board_item_views", sql`deleted_date IS NULL`, table.boardCode, table.viewCount, table.itemNo),
    partialIndex("board_item_title", sql`deleted_date IS NULL`, table.boardCode, table.title, table.itemNo),
    partialIndex(
      "board_item_category",
      sql`deleted_date IS NULL`,
      table.boardCode,
      table.category,
      table.createdDate,
      table.itemNo,
    ),
    partialIndex(
      "board_item_category_views",
      sql`deleted_date IS NULL`,
      table.boardCode,
      table.category,
      table.viewCount,
      table.itemNo,
    ),
    partialIndex(
      "board_item_category_title",
      sql`deleted_date IS NULL`,
      table.boardCode,
      table.category,
      table.title,
      table.itemNo,
    ),
    partialIndex("board_item_category_no", sql`deleted_date IS NULL`, table.boardCode, table.category, table.itemNo),
    partialIndex("board_item_pinned", sql`is_pinned = 1 AND deleted_date IS NULL`, table.boardCode, table.createdDate),
    partialIndex(
      "board_item_main",
      sql`show_item_to_main = 1 AND deleted_date IS NULL`,
      table.boardCode,
      table.createdDate,
      table.itemNo,
    ),
    partialIndex(
      "board_item_event",
      sql`event_start IS NOT NULL AND deleted_date IS NULL`,
      table.boardCode,
      table.eventEnd,
    ),
    index("board_item_writer").on(table.createdUserId),
    partialIndex("board_item_secret_writer", sql`is_secret = 1`, table.createdUserId),
    partialIndex("board_item_binned", sql`deleted_date IS NOT NULL`, table.deletedDate),
  ],
);

export const boardItemComment = sqliteTable(
  "board_item_comment",
  {
    id: text().primaryKey(),
    itemId: integer()
      .notNull()
      .references(() => boardItem.id),
    parentCommentId: text(),
    content: requiredText(),
    ...writerColumns(),
    ...deletableColumns(),
    version: versionColumn(),
  },
  (table) => [
    index("board_item_comment_item").on(table.itemId, table.createdDate),
    index("board_item_comment_writer").on(table.createdUserId),
    index("board_item_comment_created").on(table.createdDate),
    partialIndex("board_item_comment_deleted", sql`deleted_date IS NOT NULL`, table.deletedDate),
  ],
);

export const boardItemRevision = sqliteTable(
  "board_item_revision",
  {
    itemId: integer().notNull(),
    version: integer().notNull(),
    title: requiredText(),
    content: requiredText(),
    category: requiredText(),
    modifiedUserId: requiredText(),
    modifiedUserName: requiredText(),
    modifiedDate: requiredDate(),
  },
  (table) => [primaryKey({ columns: [table.itemId, table.version] })],
);

/** Viewers of a day as bits in at most 128 rows an item, whatever the traffic. Pruned by the scheduled job. */
export const boardItemView = sqliteTable(
  "board_item_view",
  { itemId: integer().notNull(), day: requiredText(), part: integer().notNull(), viewers: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.itemId, table.day, table.part] }),
    index("board_item_view_day").on(table.day),
  ],
);

/**
 * Items per range of a board's order, by triggers. `scope`: '', 'c:{category}', 'main' by date, 'no' by number; `node`:
 * key >> `level`.
 */
export const boardItemCount = sqliteTable(
  "board_item_count",
  {
    boardCode: requiredText(),
    scope: requiredText(),
    level: integer().notNull(),
    node: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.boardCode, table.scope, table.level, table.node] })],
);

/**
 * Text that verifies search hits: lower-case letters and digits only. The terms are in `board_search`
 * (db/search.ts).
 */
export const boardItemSearch = sqliteTable(
  "board_item_search",
  {
    itemId: integer().primaryKey(),
    /** Copied by triggers, so that hits are counted without reading items. */
    boardCode: requiredText(),
    /** Author of a secret item. */
    secretOf: text(),
    createdDate: requiredDate(),
    title: textColumn(),
    content: textColumn(),
    writer: textColumn(),
    file: textColumn(),
    attachment: textColumn(),
    comments: textColumn(),
    /** Set by triggers when an item changes without its text; the scheduled job reindexes it. */
    isStale: integer({ mode: "boolean" }).notNull().default(true),
  },
  (table) => [partialIndex("board_item_search_stale", sql`is_stale = 1`, table.itemId)],
);

/** Private draft; `itemNo` is 0 for a new item. Its files are not cleaned up. */
export const itemDraft = sqliteTable(
  "item_draft",
  {
    userId: requiredText(),
    boardCode: requiredText(),
    itemNo: integer().notNull().default(0),
    title: requiredText(),
    content: requiredText(),
    fields: text({ mode: "json" }).$type<DraftFields>().notNull(),
    fileIds: text({ mode: "json" }).$type<string[]>().notNull(),
    modifiedDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.boardCode, table.itemNo] }),
    index("item_draft_modified").on(table.modifiedDate),
  ],
);

/** `UPDATE OF` also fires when the value stays the same, hence `IS NOT`. */
const differs = (columns: readonly string[]) =>
  `(${columns.map((name) => `OLD.${name}`).join(", ")}) IS NOT (${columns.map((name) => `NEW.${name}`).join(", ")})`;

const COUNTED_BY = ["board_code", "item_no", "category", "show_item_to_main", "created_date", "deleted_date"] as const;
const SEARCHED_BY = ["board_code", "is_secret", "created_user_id", "created_user_name", "deleted_date"] as const;

/**
 * Bits below a counter's node. A level splits a node into 128, so that a walk reads at most 128 counters of each: dates by
 * 99 days, 19 hours, 9 minutes and 4 seconds in milliseconds, numbers by 16,384 and 128 items.
 */
export const COUNTER_LEVELS = { date: [33, 26, 19, 12], number: [14, 7] } as const;

const levelsText = (levels: readonly number[]) => `'[${levels.join(",")}]'`;

const countItem = (
  row: "NEW" | "OLD",
  by: 1 | -1,
) => `INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT ${row}.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN ${row}.item_no ELSE ${row}.created_date END) >> l.value, ${by}
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || ${row}.category WHERE ${row}.category <> '' UNION ALL SELECT 'main' WHERE ${row}.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN ${levelsText(COUNTER_LEVELS.number)} ELSE ${levelsText(COUNTER_LEVELS.date)} END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (${by}) WHERE board_code = ${row}.board_code;`;

export const boardTriggers = [
  `CREATE TRIGGER \`board_item_counted_new\` AFTER INSERT ON \`board_item\` WHEN NEW.deleted_date IS NULL BEGIN
  ${countItem("NEW", 1)}
END`,
  `CREATE TRIGGER \`board_item_counted_out\` AFTER UPDATE OF ${COUNTED_BY.join(", ")} ON \`board_item\`
WHEN OLD.deleted_date IS NULL AND ${differs(COUNTED_BY)} BEGIN
  ${countItem("OLD", -1)}
END`,
  `CREATE TRIGGER \`board_item_counted_in\` AFTER UPDATE OF ${COUNTED_BY.join(", ")} ON \`board_item\`
WHEN NEW.deleted_date IS NULL AND ${differs(COUNTED_BY)} BEGIN
  ${countItem("NEW", 1)}
END`,
  `CREATE TRIGGER \`board_item_counted_gone\` AFTER DELETE ON \`board_item\` WHEN OLD.deleted_date IS NULL BEGIN
  ${countItem("OLD", -1)}
END`,
  `CREATE TRIGGER \`board_item_search_new\` AFTER INSERT ON \`board_item\` BEGIN
  INSERT INTO board_item_search (item_id, board_code, secret_of, created_date)
  VALUES (NEW.id, NEW.board_code, iif(NEW.is_secret, NEW.created_user_id, NULL), NEW.created_date);
END`,
  `CREATE TRIGGER \`board_item_search_stale\` AFTER UPDATE OF ${SEARCHED_BY.join(", ")} ON \`board_item\`
WHEN ${differs(SEARCHED_BY)} BEGIN
  UPDATE board_item_search SET board_code = NEW.board_code, secret_of = iif(NEW.is_secret, NEW.created_user_id, NULL), title = '', content = '', writer = '', file = '', attachment = '', is_stale = (NEW.deleted_date IS NULL) WHERE item_id = OLD.id;
END`,
  `CREATE TRIGGER \`board_item_search_dated\` AFTER UPDATE OF created_date ON \`board_item\` WHEN OLD.created_date <> NEW.created_date BEGIN
  UPDATE board_item_search SET created_date = NEW.created_date WHERE item_id = NEW.id;
END`,
  `CREATE TRIGGER \`board_item_search_written\` AFTER UPDATE OF is_stale ON \`board_item_search\` BEGIN
  DELETE FROM board_search WHERE rowid = NEW.item_id;
END`,
  `CREATE TRIGGER \`board_item_search_gone\` AFTER DELETE ON \`board_item\` BEGIN
  DELETE FROM board_search WHERE rowid = OLD.id;
  DELETE FROM board_item_search WHERE item_id = OLD.id;
END`,
];

/** WITHOUT ROWID tables, which drizzle-kit cannot express: the initial migration declares them and a test compares. */
export const tablesWithoutRowid = [boardItemCount];

/** Report of an item or comment; the reporter is shown to no one. */
export const itemReport = sqliteTable(
  "item_report",
  {
    id: text().primaryKey(),
    itemId: integer().notNull(),
    /** Empty for a report of the item itself. */
    commentId: textColumn(),
    reporterUserId: requiredText(),
    reason: text().$type<ReportReason>().notNull(),
    text: textColumn(),
    status: text().$type<ReportStatus>().notNull().default("open"),
    createdDate: requiredDate(),
    decidedDate: dateColumn(),
  },
  (table) => [
    uniqueIndex("item_report_once").on(table.reporterUserId, table.itemId, table.commentId),
    index("item_report_item").on(table.itemId),
    partialIndex("item_report_open", sql`status = 'open'`, table.createdDate),
  ],
);
