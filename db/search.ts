import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Trigrams of a person's texts, by `alumni` rowid. Outside the schema: drizzle-kit has no virtual tables. */
export const alumniGram = sqliteTable("alumni_gram", { rowid: integer().notNull(), text: text().notNull() });

/** Terms of the index: a prefix of one or two letters is a range of them. */
export const alumniTerm = sqliteTable("alumni_term", { term: text().notNull(), doc: integer().notNull() });

/** Stores no contents or positions: a hit is verified on the row. */
export const createAlumniSearch = [
  "CREATE VIRTUAL TABLE `alumni_gram` USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')",
  "CREATE VIRTUAL TABLE `alumni_term` USING fts5vocab(alumni_gram, instance)",
];

/** Search index of boards. Outside the schema, or drizzle-kit would create a plain table. */
export const boardSearch = sqliteTable("board_search", { rowid: integer().notNull(), terms: text().notNull() });

/** Stores no contents or positions, to stay small: hits are verified in `board_item_search`. */
export const createBoardSearch =
  "CREATE VIRTUAL TABLE `board_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')";
