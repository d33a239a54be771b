import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { requiredDate, versionColumn } from "../columns.ts";

export const siteSetting = sqliteTable("site_setting", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).notNull(),
  version: versionColumn(),
  modifiedDate: requiredDate(),
});

/** Idempotency keys with the answer that a retry gets; `key` is a keyed hash. */
export const keptAnswer = sqliteTable(
  "kept_answer",
  {
    key: text().primaryKey(),
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
    /** Attempts in progress, counted as failed until their outcome is known. */
    held: integer().notNull().default(0),
    resetDate: requiredDate(),
  },
  (table) => [index("rate_limit_reset").on(table.resetDate)],
);
