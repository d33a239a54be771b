import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ReportReason } from "#worker/contract/board/view.ts";

const date = () => integer({ mode: "timestamp_ms" });

/**
 * How many items stand in a stretch of a board's order; triggers on board_item keep it. `scope` says which order:
 * '' and 'c:{category}' and 'main' by date, 'no' by number; `node` is the key shifted right by `level` bits.
 */
export const boardItemCount = sqliteTable(
  "board_item_count",
  {
    boardCode: text().notNull(),
    scope: text().notNull(),
    level: integer().notNull(),
    node: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.boardCode, table.scope, table.level, table.node] })],
);

/** What a search hit is verified on: letters and digits alone, lower case. Its words stand in the FTS table board_search. */
export const boardItemSearch = sqliteTable(
  "board_item_search",
  {
    itemId: integer().primaryKey(),
    title: text().notNull().default(""),
    content: text().notNull().default(""),
    writer: text().notNull().default(""),
    file: text().notNull().default(""),
    /** Set by triggers where an item changed and its words did not; the scheduled job indexes it again. */
    isStale: integer({ mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    index("board_item_search_stale")
      .on(table.itemId)
      .where(sql`is_stale = 1`),
  ],
);

/** The text of an item in each of its versions that anybody edited. */
export const boardItemRevision = sqliteTable(
  "board_item_revision",
  {
    itemId: integer().notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    category: text().notNull(),
    modifiedUserId: text().notNull(),
    modifiedUserName: text().notNull(),
    modifiedDate: date().notNull(),
  },
  (table) => [primaryKey({ columns: [table.itemId, table.version] })],
);

/** One row a viewer and day, so that a reload counts once; swept by the scheduled job. */
export const boardItemView = sqliteTable(
  "board_item_view",
  { itemId: integer().notNull(), viewerHash: text().notNull(), day: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.itemId, table.viewerHash, table.day] }),
    index("board_item_view_day").on(table.day),
  ],
);

/** What a member told the administrators of an item, or of one of its comments; who it was is shown to nobody. */
export const itemReport = sqliteTable(
  "item_report",
  {
    id: text().primaryKey(),
    itemId: integer().notNull(),
    /** Empty where the item itself is meant. */
    commentId: text().notNull().default(""),
    reporterUserId: text().notNull(),
    reason: text().$type<ReportReason>().notNull(),
    text: text().notNull().default(""),
    status: text().$type<"open" | "dismissed" | "hidden">().notNull().default("open"),
    createdDate: date().notNull(),
    decidedDate: date(),
  },
  (table) => [
    uniqueIndex("item_report_once").on(table.reporterUserId, table.itemId, table.commentId),
    index("item_report_item").on(table.itemId),
    index("item_report_open")
      .on(table.createdDate)
      .where(sql`status = 'open'`),
  ],
);
