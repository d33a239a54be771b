import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The FTS5 table, made in a migration by hand: apart from the schema, or drizzle-kit would make a plain one of it. */
export const boardSearch = sqliteTable("board_search", { rowid: integer().notNull(), terms: text().notNull() });
