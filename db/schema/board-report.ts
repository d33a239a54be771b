import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ReportReason } from "#worker/contract/board/rules.ts";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";
import { partialIndex } from "../indexes.ts";

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
    status: text().$type<"open" | "dismissed" | "hidden">().notNull().default("open"),
    createdDate: requiredDate(),
    decidedDate: dateColumn(),
  },
  (table) => [
    uniqueIndex("item_report_once").on(table.reporterUserId, table.itemId, table.commentId),
    index("item_report_item").on(table.itemId),
    partialIndex("item_report_open", sql`status = 'open'`, table.createdDate),
  ],
);
