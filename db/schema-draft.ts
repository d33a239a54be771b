import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DraftFields } from "#worker/contract/board/view.ts";

/** What somebody has begun to write, his alone; `itemNo` is 0 for a new item. Files it refers to are not swept. */
export const itemDraft = sqliteTable(
  "item_draft",
  {
    userId: text().notNull(),
    boardCode: text().notNull(),
    itemNo: integer().notNull().default(0),
    title: text().notNull(),
    content: text().notNull(),
    fields: text({ mode: "json" }).$type<DraftFields>().notNull(),
    /** Attachments and pictures alike. */
    fileIds: text({ mode: "json" }).$type<string[]>().notNull(),
    modifiedDate: integer({ mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.boardCode, table.itemNo] }),
    index("item_draft_modified").on(table.modifiedDate),
  ],
);
