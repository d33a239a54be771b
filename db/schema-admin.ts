import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const date = () => integer({ mode: "timestamp_ms" });

/** The last run of each scheduled job. */
export const job = sqliteTable("job", {
  name: text().primaryKey(),
  startedDate: date().notNull(),
  finishedDate: date(),
  status: text().$type<"running" | "ok" | "failed">().notNull(),
  error: text().notNull().default(""),
});
