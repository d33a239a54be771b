import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { requiredDate, versionColumn } from "../columns.ts";

/** Site-wide settings, one JSON document a key (`site`, `authentication`). */
export const siteSetting = sqliteTable("site_setting", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).notNull(),
  version: versionColumn(),
  modifiedDate: requiredDate(),
});

/** What creating calls answered, so that the same one sent again is answered alike; `key` is a keyed hash. */
export const keptAnswer = sqliteTable(
  "kept_answer",
  {
    key: text().primaryKey(),
    /** Of the call and of what it was sent: another one under the same key is refused. */
    fingerprint: text().notNull(),
    answer: text({ mode: "json" }).notNull(),
    createdDate: requiredDate(),
  },
  (table) => [index("kept_answer_created").on(table.createdDate)],
);

/** Exact counters; `key` is a keyed hash, never a raw address. */
export const rateLimit = sqliteTable(
  "rate_limit",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    /** Attempts under way; until their outcome is known they count like failed ones. */
    held: integer().notNull().default(0),
    resetDate: requiredDate(),
  },
  (table) => [index("rate_limit_reset").on(table.resetDate)],
);
