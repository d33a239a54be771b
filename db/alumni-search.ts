import { sqliteTable, text, integer } from "drizzle-orm/sqlite-core";

/** Every three letters of a person's texts, by the `rowid` of `alumni`. Apart from the schema, as drizzle-kit knows no virtual tables. */
export const alumniGram = sqliteTable("alumni_gram", { rowid: integer().notNull(), text: text().notNull() });

/** The index by its terms: what begins with one or two letters is a stretch of them. */
export const alumniTerm = sqliteTable("alumni_term", { term: text().notNull(), doc: integer().notNull() });

/** Without contents and positions: a hit is verified on the row itself. */
export const createAlumniSearch = [
  "CREATE VIRTUAL TABLE `alumni_gram` USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')",
  "CREATE VIRTUAL TABLE `alumni_term` USING fts5vocab(alumni_gram, instance)",
];
