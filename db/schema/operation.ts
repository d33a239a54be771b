import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AlarmKind, BackupState, DrillState } from "#worker/contract/operation/operation.ts";
import { dateColumn, leaseColumns, partialUniqueIndex, requiredDate, requiredText, textColumn } from "../columns.ts";

export const job = sqliteTable("job", {
  name: text().primaryKey(),
  startedDate: requiredDate(),
  finishedDate: dateColumn(),
  status: text().$type<"running" | "ok" | "failed">().notNull(),
  error: textColumn(),
  okDate: dateColumn(),
  /** Runs that ended without a result since the last completed one. */
  killed: integer().notNull().default(0),
});

export const backupRun = sqliteTable(
  "backup_run",
  {
    id: text().primaryKey(),
    name: requiredText(),
    kind: text().$type<"night" | "manual">().notNull(),
    status: text().$type<"running" | "ok" | "failed">().notNull(),
    startedDate: requiredDate(),
    finishedDate: dateColumn(),
    ...leaseColumns(),
    state: text({ mode: "json" }).$type<BackupState>().notNull(),
    error: textColumn(),
  },
  (table) => [
    index("backup_run_started").on(table.startedDate),
    partialUniqueIndex("backup_run_running", sql`status = 'running'`, table.status),
  ],
);

/** Row values from the start of the running backup, written by triggers that exist only meanwhile. */
export const backupBefore = sqliteTable(
  "backup_before",
  {
    tableName: requiredText(),
    rowId: integer().notNull(),
    row: requiredText(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.rowId] })],
);

export const backupDrill = sqliteTable(
  "backup_drill",
  {
    id: text().primaryKey(),
    name: requiredText(),
    status: text().$type<"running" | "ok" | "failed">().notNull(),
    startedDate: requiredDate(),
    finishedDate: dateColumn(),
    ...leaseColumns(),
    state: text({ mode: "json" }).$type<DrillState>().notNull(),
    error: textColumn(),
  },
  (table) => [index("backup_drill_started").on(table.startedDate)],
);

/** Alarm for administrators, mailed once until acknowledged. */
export const alarm = sqliteTable("alarm", {
  /** Kind and subject: `job:backup`. */
  key: text().primaryKey(),
  kind: text().$type<AlarmKind>().notNull(),
  text: requiredText(),
  startedDate: requiredDate(),
  mailedDate: dateColumn(),
  acknowledgedDate: dateColumn(),
  acknowledgedUserId: text(),
  /** When the cause was last seen resolved; null while it lasts. */
  endedDate: dateColumn(),
});
