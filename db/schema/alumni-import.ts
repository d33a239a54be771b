import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BookColumn } from "#worker/contract/alumni/own-fields.ts";
import type { ImportOptions, StoredAnswers } from "#worker/contract/alumni/import/cell-changes.ts";
import type { ImportHeader } from "#worker/contract/alumni/import/header.ts";
import { dateColumn, flagColumn, partialIndex, requiredDate, requiredText, textColumn } from "../columns.ts";

export const alumniImport = sqliteTable(
  "alumni_import",
  {
    id: text().primaryKey(),
    fileId: requiredText(),
    fileName: requiredText(),
    userId: requiredText(),
    /** `change` sets fields without a file. */
    mode: text().$type<"insert" | "upsert" | "change">().notNull(),
    inserted: integer().notNull(),
    updated: integer().notNull(),
    createdDate: requiredDate(),
    undoStartedDate: dateColumn(),
    /** Begin of an undo that has not looked at everybody yet; null between undos. */
    undoPassDate: dateColumn(),
    undoneDate: dateColumn(),
    /** Always 1: the CHECK fails a batch that commits an outdated preview. */
    isCurrent: integer().notNull(),
    /** Hash of the file's columns; empty without a file. */
    form: textColumn(),
  },
  (table) => [
    uniqueIndex("alumni_import_created").on(table.createdDate, table.id),
    partialIndex("alumni_import_of_form", sql`form <> ''`, table.form, table.createdDate),
    check("alumni_import_is_current", sql`is_current = 1`),
  ],
);

export const alumniBefore = sqliteTable(
  "alumni_before",
  {
    importId: requiredText(),
    alumniId: requiredText(),
    values: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Version after the change. Compared if `after` is missing. */
    versionAfter: integer().notNull(),
    /** Values that the change wrote; an undo puts back those that are still the same. */
    after: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** The undo of the moment looked at the row and left it. */
    isTried: flagColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.alumniId] }),
    index("alumni_before_person").on(table.alumniId),
  ],
);

/** A row of another table that a deed on the address book or its dues added, changed or deleted. */
export const deedRow = sqliteTable(
  "deed_row",
  {
    deedId: requiredText(),
    tableName: requiredText(),
    /** Values of the key columns. */
    rowKey: requiredText(),
    /** The person of the row before the deed; empty without one. */
    alumniId: textColumn(),
    /** Null for a row that the deed added. */
    before: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** Null for a row that the deed deleted. */
    after: text({ mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({ columns: [table.deedId, table.tableName, table.rowKey] }),
    index("deed_row_person").on(table.alumniId),
  ],
);

/** Merged rows; `alumni_before` holds their earlier values under the merge id. */
export const alumniMerge = sqliteTable(
  "alumni_merge",
  {
    id: text().primaryKey(),
    keptId: requiredText(),
    people: integer().notNull(),
    userId: requiredText(),
    createdDate: requiredDate(),
    undoneDate: dateColumn(),
  },
  (table) => [index("alumni_merge_created").on(table.createdDate)],
);

/** Pending import, under its future id. Deleted a day after last use, emptied on commit. */
export const alumniStaging = sqliteTable(
  "alumni_staging",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    /** Empty when the rows arrive in parts instead of a file. */
    fileId: textColumn(),
    fileName: requiredText(),
    head: text({ mode: "json" }).$type<ImportHeader>().notNull(),
    parts: integer().notNull(),
    /** Rises with every preview and part: rows staged under a lower number are outdated. */
    planNo: integer().notNull().default(0),
    plannedParts: integer().notNull().default(0),
    /** Revision in `alumni_state` that the preview compared with; null until complete. */
    plannedRevision: integer(),
    summary: text({ mode: "json" }).$type<ImportSummary>(),
    committedDate: dateColumn(),
    createdDate: requiredDate(),
    touchedDate: requiredDate(),
  },
  (table) => [index("alumni_staging_touched").on(table.touchedDate), index("alumni_staging_user").on(table.userId)],
);

export interface ImportSummary {
  mode: "insert" | "upsert";
  options?: ImportOptions;
  total: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** People whose 작고, 탈퇴 or refusal it ends, each by a decision. */
  ended?: string[];
}

/** Rows as JSON, as many as fit one D1 value: as sent, and as previewed. */
export const alumniStaged = sqliteTable(
  "alumni_staged",
  {
    importId: requiredText().references(() => alumniStaging.id, { onDelete: "cascade" }),
    /** `seen` holds the people that the rows mean. */
    kind: text().$type<"sent" | "insert" | "update" | "refused" | "seen">().notNull(),
    /** 0 for rows as they were sent. */
    planNo: integer().notNull(),
    partNo: integer().notNull(),
    rows: requiredText(),
    hash: textColumn(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.kind, table.planNo, table.partNo] })],
);

/** Answers about files with the same headers; the newest ones are kept. */
export const alumniImportForm = sqliteTable(
  "alumni_import_form",
  {
    /** Hash of the headers. */
    id: text().primaryKey(),
    heads: text({ mode: "json" }).$type<string[]>().notNull(),
    columns: text({ mode: "json" }).$type<(BookColumn | null)[]>().notNull(),
    answers: text({ mode: "json" }).$type<StoredAnswers>().notNull(),
    usedDate: requiredDate(),
  },
  (table) => [index("alumni_import_form_used").on(table.usedDate)],
);

/** The person that a row of a form means. Destroyed with the person; hashes keep names out. */
export const alumniImportChoice = sqliteTable(
  "alumni_import_choice",
  {
    form: requiredText(),
    /** Hash of the row's values that name a person. */
    value: requiredText(),
    /** Null to skip the row. */
    alumniId: text(),
    /** The id of a person to add, unless they are there already. */
    isNew: flagColumn(),
    usedDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.form, table.value] }),
    index("alumni_import_choice_person").on(table.alumniId),
    index("alumni_import_choice_used").on(table.usedDate),
  ],
);

/** The people of a file, to find who is missing in the next one of its form. Destroyed with the person. */
export const alumniImportPerson = sqliteTable(
  "alumni_import_person",
  { importId: requiredText(), alumniId: requiredText() },
  (table) => [
    primaryKey({ columns: [table.importId, table.alumniId] }),
    index("alumni_import_person_id").on(table.alumniId),
  ],
);
