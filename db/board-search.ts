import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Search index of boards. Outside the schema, or drizzle-kit would create a plain table. */
export const boardSearch = sqliteTable("board_search", { rowid: integer().notNull(), terms: text().notNull() });

/** Stores no contents or positions, to stay small: hits are verified in `board_item_search`. */
export const createBoardSearch =
  "CREATE VIRTUAL TABLE `board_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')";
