import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AlarmKind } from "#worker/contract/operation/rules.ts";
import type { BackupState, DrillState } from "#worker/contract/operation/backup-state.ts";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";
import { partialUniqueIndex } from "../indexes.ts";

/** The last run of each scheduled job. */
export const job = sqliteTable("job", {
  name: text().primaryKey(),
  startedDate: requiredDate(),
  finishedDate: dateColumn(),
  status: text().$type<"running" | "ok" | "failed">().notNull(),
  error: textColumn(),
  /** The end of the last run that went well. */
  okDate: dateColumn(),
  /** Runs that ended without a word since the last that ended with one. */
  killed: integer().notNull().default(0),
});

/** A backup of one moment, made in steps; `name` is its folder in the bucket. */
export const backupRun = sqliteTable(
  "backup_run",
  {
    id: text().primaryKey(),
    name: requiredText(),
    kind: text().$type<"night" | "manual">().notNull(),
    status: text().$type<"running" | "ok" | "failed">().notNull(),
    startedDate: requiredDate(),
    finishedDate: dateColumn(),
    /** The step that works on it and until when it may; empty between two steps. */
    leaseId: textColumn(),
    leaseDate: dateColumn(),
    /** Steps that ended without a word. */
    interruptions: integer().notNull().default(0),
    state: text({ mode: "json" }).$type<BackupState>().notNull(),
    error: textColumn(),
  },
  (table) => [
    index("backup_run_started").on(table.startedDate),
    partialUniqueIndex("backup_run_running", sql`status = 'running'`, table.status),
  ],
);

/** What a row was at the moment of the backup that is being made; triggers write it that stand only meanwhile. */
export const backupBefore = sqliteTable(
  "backup_before",
  {
    tableName: requiredText(),
    rowId: integer().notNull(),
    row: requiredText(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.rowId] })],
);

/** A backup restored on trial into the scratch database, in steps. */
export const backupDrill = sqliteTable(
  "backup_drill",
  {
    id: text().primaryKey(),
    /** Name of the backup. */
    name: requiredText(),
    status: text().$type<"running" | "ok" | "failed">().notNull(),
    startedDate: requiredDate(),
    finishedDate: dateColumn(),
    leaseDate: dateColumn(),
    state: text({ mode: "json" }).$type<DrillState>().notNull(),
    error: textColumn(),
  },
  (table) => [index("backup_drill_started").on(table.startedDate)],
);

/** Something that an administrator has to know; told by mail once, until somebody says that they know. */
export const alarm = sqliteTable("alarm", {
  /** Kind and what it is about: `job:backup`. */
  key: text().primaryKey(),
  kind: text().$type<AlarmKind>().notNull(),
  text: requiredText(),
  startedDate: requiredDate(),
  /** Null until the mail about it is queued. */
  mailedDate: dateColumn(),
  acknowledgedDate: dateColumn(),
  acknowledgedUserId: text(),
  /** When the cause was last seen to be gone; null while it lasts. */
  endedDate: dateColumn(),
});
