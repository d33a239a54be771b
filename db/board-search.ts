import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The search index of boards. It stands apart from the schema, or drizzle-kit would make a plain table of it. */
export const boardSearch = sqliteTable("board_search", { rowid: integer().notNull(), terms: text().notNull() });

/** Without contents and positions, which keeps it small: `board_item_search` holds what a hit is verified on. */
export const createBoardSearch =
  "CREATE VIRTUAL TABLE `board_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')";
