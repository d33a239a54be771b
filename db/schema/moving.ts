import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ArchiveKind, MovedKind, MovingIssueCode, MovingStatus } from "#worker/contract/moving/rules.ts";
import type { MovingMapping } from "#worker/contract/moving/input.ts";
import type { MovingState, RdxEntry } from "#worker/contract/moving/state.ts";
import { dateColumn, requiredDate, requiredText, textColumn, versionColumn, writerColumns } from "../columns.ts";
import { partialIndex, partialUniqueIndex } from "../indexes.ts";

/** The move of an old site into this one, from the first byte of its archive to the end of the days of its undo. */
export const moving = sqliteTable(
  "moving",
  {
    id: text().primaryKey(),
    /** What the old site is called here: two old sites may have boards and members of the same names. */
    site: requiredText(),
    /** `https://old.example.kr`, where the texts point to themselves by their whole address; else empty. */
    oldOrigin: textColumn(),
    status: text().$type<MovingStatus>().notNull(),
    ...writerColumns(),
    createdDate: requiredDate(),
    /** When the items of the old site were here. */
    committedDate: dateColumn(),
    endedDate: dateColumn(),
    /** The step that works on it and until when it may; empty between two steps. */
    leaseId: textColumn(),
    leaseDate: dateColumn(),
    /** Steps that ended without a word, one after the other. */
    interruptions: integer().notNull().default(0),
    /** The lists of records that the archives hold. */
    entries: text({ mode: "json" }).$type<RdxEntry[]>().notNull(),
    mapping: text({ mode: "json" }).$type<MovingMapping>(),
    state: text({ mode: "json" }).$type<MovingState>().notNull(),
    error: textColumn(),
    version: versionColumn(),
  },
  (table) => [
    // One at a time, whoever begins it.
    partialUniqueIndex(
      "moving_open",
      sql`status IN ('uploading', 'checking', 'checked', 'committing', 'undoing')`,
      sql`(1)`,
    ),
    index("moving_created").on(table.createdDate),
  ],
);

/** A zip that was sent for it: the export, or the folder of files beside it. */
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
    /** What stands before the old site's own folders in its names. */
    prefix: textColumn(),
    createdDate: requiredDate(),
  },
  (table) => [index("moving_archive_moving").on(table.movingId)],
);

/** The parts of it that the storage has; all but the last are of one size. */
export const movingPart = sqliteTable(
  "moving_part",
  {
    archiveId: requiredText().references(() => movingArchive.id),
    partNo: integer().notNull(),
    etag: requiredText(),
  },
  (table) => [primaryKey({ columns: [table.archiveId, table.partNo] })],
);

/** The files of an archive, as its directory lists them. */
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

/** Keys noted while an archive is checked: duplicates, people who left, and the office's list of the blocked. */
export const movingSeen = sqliteTable(
  "moving_seen",
  { movingId: requiredText(), kind: requiredText(), key: text().notNull() },
  (table) => [primaryKey({ columns: [table.movingId, table.kind, table.key] })],
);

/** What of the old site is what here: makes a second import change nothing, an undo whole and old addresses lead on. */
export const movedThing = sqliteTable(
  "moved_thing",
  {
    site: requiredText(),
    kind: text().$type<MovedKind>().notNull(),
    /** `notice`, `notice/12`, `notice/12/1`: a board, an item or comment, a file of it. Of a member the ID. */
    oldKey: requiredText(),
    /** The number that the old site gave it alone, where it gave one. */
    oldNumber: integer(),
    /** Where its bytes lay below the old site's folder. */
    oldPath: text(),
    targetId: requiredText(),
    /** It was here before, and is no part of an undo. */
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

/** Files whose bytes are still to be taken out of an archive. */
export const movingFile = sqliteTable(
  "moving_file",
  {
    /** Of the file here. */
    id: text().primaryKey(),
    movingId: requiredText(),
    itemId: integer().notNull(),
    boardCode: requiredText(),
    ownerUserId: requiredText(),
    oldKey: requiredText(),
    oldNumber: integer(),
    /** Below the old site's folder. */
    path: requiredText(),
    fileName: requiredText(),
    purpose: text().$type<"board" | "image">().notNull(),
    sortOrder: integer().notNull(),
    createdDate: requiredDate(),
  },
  (table) => [index("moving_file_moving").on(table.movingId, table.path)],
);

/** What did not come, or did not come as it was, and why. */
export const movingIssue = sqliteTable(
  "moving_issue",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    movingId: requiredText(),
    code: text().$type<MovingIssueCode>().notNull(),
    /** What of the old site. */
    subject: requiredText(),
    detail: textColumn(),
  },
  (table) => [uniqueIndex("moving_issue_once").on(table.movingId, table.code, table.subject)],
);

/** A note that a member wrote or got on the old site: for its owner's own data alone, shown nowhere. */
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
