import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dateColumn, textColumn } from "../columns.ts";

/** The last run of each scheduled job. */
export const job = sqliteTable("job", {
  name: text().primaryKey(),
  startedDate: dateColumn().notNull(),
  finishedDate: dateColumn(),
  status: text().$type<"running" | "ok" | "failed">().notNull(),
  error: textColumn(),
});
