import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ArchiveKind, MovedKind, MovingIssueCode, MovingStatus } from "#worker/contract/moving/rules.ts";
import type { MovingMapping } from "#worker/contract/moving/input.ts";
import type { MovingState, RdxEntry } from "#worker/contract/moving/moving.ts";
import {
  dateColumn,
  leaseColumns,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
  writerColumns,
} from "../columns.ts";

/** Move of an old site, from the first archive byte until its undo period ends. */
export const moving = sqliteTable(
  "moving",
  {
    id: text().primaryKey(),
    /** Local name of the old site: two old sites may share board and member names. */
    site: requiredText(),
    /** `https://old.example.kr`, for absolute links in the texts; else empty. */
    oldOrigin: textColumn(),
    status: text().$type<MovingStatus>().notNull(),
    ...writerColumns(),
    createdDate: requiredDate(),
    committedDate: dateColumn(),
    endedDate: dateColumn(),
    ...leaseColumns(),
    entries: text({ mode: "json" }).$type<RdxEntry[]>().notNull(),
    mapping: text({ mode: "json" }).$type<MovingMapping>(),
    state: text({ mode: "json" }).$type<MovingState>().notNull(),
    error: textColumn(),
    version: versionColumn(),
  },
  (table) => [
    partialUniqueIndex(
      "moving_open",
      sql`status IN ('uploading', 'checking', 'checked', 'committing', 'undoing')`,
      sql`(1)`,
    ),
    index("moving_created").on(table.createdDate),
  ],
);

/** Uploaded zip: the export, or its separate folder of files. */
export const movingArchive = sqliteTable(
  "moving_archive",
  {
    id: text().primaryKey(),
    movingId: requiredText().references(() => moving.id),
    kind: text().$type<ArchiveKind>().notNull(),
    fileName: requiredText(),
    size: integer().notNull(),
    storageKey: requiredText(),
    uploadId: requiredText(),
    status: text().$type<"uploading" | "ready">().notNull(),
    /** Path before the old site's own folders in the zip's names. */
    prefix: textColumn(),
    createdDate: requiredDate(),
  },
  (table) => [index("moving_archive_moving").on(table.movingId)],
);

export const movingPart = sqliteTable(
  "moving_part",
  {
    archiveId: requiredText().references(() => movingArchive.id),
    partNo: integer().notNull(),
    etag: requiredText(),
  },
  (table) => [primaryKey({ columns: [table.archiveId, table.partNo] })],
);

export const movingEntry = sqliteTable(
  "moving_entry",
  {
    archiveId: requiredText(),
    name: requiredText(),
    offset: integer().notNull(),
    compressedSize: integer().notNull(),
    size: integer().notNull(),
    method: integer().notNull(),
    crc: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.archiveId, table.name] })],
);

export const movingSeen = sqliteTable(
  "moving_seen",
  { movingId: requiredText(), kind: requiredText(), key: text().notNull() },
  (table) => [primaryKey({ columns: [table.movingId, table.kind, table.key] })],
);

/** Maps old keys to new ids: makes imports repeatable, undo complete and old addresses redirect. */
export const movedThing = sqliteTable(
  "moved_thing",
  {
    site: requiredText(),
    kind: text().$type<MovedKind>().notNull(),
    /** `notice`, `notice/12`, `notice/12/1`: board, item or comment, and file; for a member the ID. */
    oldKey: requiredText(),
    oldNumber: integer(),
    oldPath: text(),
    targetId: requiredText(),
    /** Existed before the import, so undo skips it. */
    wasHere: integer({ mode: "boolean" }).notNull().default(false),
    movingId: requiredText(),
  },
  (table) => [
    primaryKey({ columns: [table.site, table.kind, table.oldKey] }),
    index("moved_thing_moving").on(table.movingId, table.kind),
    index("moved_thing_number").on(table.kind, table.oldNumber),
    partialIndex("moved_thing_path", sql`old_path IS NOT NULL`, table.oldPath),
    index("moved_thing_target").on(table.kind, table.targetId),
  ],
);

export const movingFile = sqliteTable(
  "moving_file",
  {
    id: text().primaryKey(),
    movingId: requiredText(),
    itemId: integer().notNull(),
    boardCode: requiredText(),
    ownerUserId: requiredText(),
    oldKey: requiredText(),
    oldNumber: integer(),
    path: requiredText(),
    fileName: requiredText(),
    purpose: text().$type<"board" | "image">().notNull(),
    sortOrder: integer().notNull(),
    createdDate: requiredDate(),
  },
  (table) => [index("moving_file_moving").on(table.movingId, table.path)],
);

export const movingIssue = sqliteTable(
  "moving_issue",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    movingId: requiredText(),
    code: text().$type<MovingIssueCode>().notNull(),
    subject: requiredText(),
    detail: textColumn(),
  },
  (table) => [uniqueIndex("moving_issue_once").on(table.movingId, table.code, table.subject)],
);

/** Private message from the old site: included in its owner's data export only, shown nowhere. */
export const oldNote = sqliteTable(
  "old_note",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    folder: text().$type<"inbox" | "sent">().notNull(),
    otherName: requiredText(),
    title: textColumn(),
    content: requiredText(),
    sentDate: dateColumn(),
    readDate: dateColumn(),
  },
  (table) => [index("old_note_user").on(table.userId)],
);
