import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ImportOptions } from "#worker/contract/alumni/cell-changes.ts";
import type { ImportHeader } from "#worker/contract/alumni/import-header.ts";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";

export const alumniImport = sqliteTable(
  "alumni_import",
  {
    id: text().primaryKey(),
    fileId: requiredText(),
    fileName: requiredText(),
    userId: requiredText(),
    mode: text().$type<"insert" | "upsert">().notNull(),
    inserted: integer().notNull(),
    updated: integer().notNull(),
    createdDate: requiredDate(),
    /** It is taken back some people at a time: from here on what is left of it can always be finished. */
    undoStartedDate: dateColumn(),
    undoneDate: dateColumn(),
    /** Always 1: the CHECK fails the batch that commits a preview which is out of date. */
    isCurrent: integer().notNull(),
  },
  (table) => [
    uniqueIndex("alumni_import_created").on(table.createdDate, table.id),
    check("alumni_import_is_current", sql`is_current = 1`),
  ],
);

/** What a row was before an import or a merge changed it. */
export const alumniBeforeChange = sqliteTable(
  "alumni_before",
  {
    importId: requiredText(),
    alumniId: requiredText(),
    values: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The version that the change left; another one means that the row was edited since. */
    versionAfter: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.alumniId] }),
    index("alumni_before_person").on(table.alumniId),
  ],
);

/** Rows merged into one; what they were stands in `alumni_before` under its id. */
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

/** An import not committed yet, under the id that the import will have. Deleted a day after the last use; emptied once committed. */
export const alumniImportPreview = sqliteTable(
  "alumni_staging",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    /** Empty when the rows come in parts and not as a file. */
    fileId: textColumn(),
    fileName: requiredText(),
    head: text({ mode: "json" }).$type<ImportHeader>().notNull(),
    /** How many parts of rows make the file. */
    parts: integer().notNull(),
    /** Rises with every preview and every part: rows staged under a lower number are out of date. */
    planNo: integer().notNull().default(0),
    /** How many parts the newest preview has compared so far. */
    plannedParts: integer().notNull().default(0),
    /** The revision in `alumni_state` that the newest preview compared with; null until it is complete. */
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
  /** What was decided of faults and of empty cells. */
  options?: ImportOptions;
  total: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Rows in JSON, as many as fit into one value of D1: as they were sent, and what the preview makes of them. */
export const alumniImportPreviewPart = sqliteTable(
  "alumni_staged",
  {
    importId: requiredText().references(() => alumniImportPreview.id, { onDelete: "cascade" }),
    kind: text().$type<"sent" | "insert" | "update" | "refused">().notNull(),
    /** 0 for what was sent. */
    planNo: integer().notNull(),
    partNo: integer().notNull(),
    rows: requiredText(),
    /** SHA-256 of a sent part, by which the browser knows what need not be sent again. */
    hash: textColumn(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.kind, table.planNo, table.partNo] })],
);
