import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dateColumn, versionColumn } from "../columns.ts";

/** Site-wide settings, one JSON document a key (`site`, `authentication`). */
export const siteSetting = sqliteTable("site_setting", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).notNull(),
  version: versionColumn(),
  modifiedDate: dateColumn().notNull(),
});

/** Exact counters; `key` is a keyed hash, never a raw address. */
export const rateLimit = sqliteTable(
  "rate_limit",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    /** Attempts under way; until their outcome is known they count like failed ones. */
    held: integer().notNull().default(0),
    resetDate: dateColumn().notNull(),
  },
  (table) => [index("rate_limit_reset").on(table.resetDate)],
);
