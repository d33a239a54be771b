import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PrivateField } from "#worker/contract/alumni/columns.ts";
import type { Head } from "#worker/contract/alumni/import-header.ts";

const date = () => integer({ mode: "timestamp_ms" });
const line = () => text().notNull().default("");

export const alumni = sqliteTable(
  "alumni",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    cohort: integer(),
    graduationYear: integer(),
    major: line(),
    affiliation: line(),
    department: line(),
    position: line(),
    email: line(),
    mobile: line(),
    phone: line(),
    zipCode: line(),
    address: line(),
    memo: line(),
    /** Contact fields that the person shows to other members. */
    openFields: text({ mode: "json" }).$type<PrivateField[]>().notNull().default([]),
    /** Made from the row by `searchTexts` and `initialsOf` at every write. */
    initials: line(),
    searchAll: line(),
    searchOpen: line(),
    /** The import that added the row, for its undo. */
    importId: text(),
    /** The row that took this one over; it is in the bin then. */
    mergedInto: text(),
    createdDate: date().notNull(),
    modifiedDate: date().notNull(),
    deletedDate: date(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index("alumni_name")
      .on(table.name, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_cohort")
      .on(table.cohort, table.name, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_year")
      .on(table.graduationYear, table.name, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_affiliation")
      .on(table.affiliation, table.name, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_created")
      .on(table.createdDate, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_email")
      .on(table.email)
      .where(sql`email <> ''`),
    // All that the list searches, filters and sorts by: a keyword is looked for in this, never in whole rows.
    index("alumni_search")
      .on(
        table.name,
        table.id,
        table.cohort,
        table.graduationYear,
        table.affiliation,
        table.department,
        table.position,
        table.major,
        table.initials,
        table.searchAll,
        table.searchOpen,
        table.createdDate,
        table.modifiedDate,
      )
      .where(sql`deleted_date IS NULL`),
    index("alumni_mobile")
      .on(table.mobile, table.id)
      .where(sql`deleted_date IS NULL AND mobile <> ''`),
    // The last four digits stay when 011 became 010.
    index("alumni_name_tail")
      .on(table.name, sql`substr(mobile, -4)`, table.mobile, table.id)
      .where(sql`deleted_date IS NULL AND mobile <> ''`),
    // 김 철수 and 김철수, Kim and KIM stand side by side.
    index("alumni_name_alike")
      .on(sql`lower(replace(name, ' ', ''))`, table.name, table.id)
      .where(sql`deleted_date IS NULL`),
    index("alumni_import_rows")
      .on(table.importId)
      .where(sql`import_id IS NOT NULL`),
    index("alumni_bin")
      .on(table.deletedDate)
      .where(sql`deleted_date IS NOT NULL`),
  ],
);

/** One row: its number rises with every write, so that an import planned on older rows does not land. */
export const alumniState = sqliteTable("alumni_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
});

export const alumniImport = sqliteTable(
  "alumni_import",
  {
    id: text().primaryKey(),
    fileId: text().notNull(),
    fileName: text().notNull(),
    userId: text().notNull(),
    mode: text().$type<"insert" | "upsert">().notNull(),
    inserted: integer().notNull(),
    updated: integer().notNull(),
    createdDate: date().notNull(),
    undoneDate: date(),
    /** Always 1 when it could land: the CHECK fails the batch of a plan that is out of date. */
    isCurrent: integer().notNull(),
  },
  (table) => [
    uniqueIndex("alumni_import_created").on(table.createdDate, table.id),
    check("alumni_import_is_current", sql`is_current = 1`),
  ],
);

/** What a row was before an import or a merge changed it. */
export const alumniBefore = sqliteTable(
  "alumni_before",
  {
    importId: text().notNull(),
    alumniId: text().notNull(),
    values: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The version that the change left; another one means that somebody edited since. */
    versionAfter: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.alumniId] }),
    index("alumni_before_person").on(table.alumniId),
  ],
);

/** Rows that became one; what they were stands in `alumni_before` under its id. */
export const alumniMerge = sqliteTable(
  "alumni_merge",
  {
    id: text().primaryKey(),
    keptId: text().notNull(),
    people: integer().notNull(),
    userId: text().notNull(),
    createdDate: date().notNull(),
    undoneDate: date(),
  },
  (table) => [index("alumni_merge_created").on(table.createdDate)],
);

/** Two rows that look alike and are two persons, as somebody who knows them said. */
export const alumniDistinct = sqliteTable(
  "alumni_distinct",
  {
    lowId: text().notNull(),
    highId: text().notNull(),
    userId: text().notNull(),
    createdDate: date().notNull(),
  },
  (table) => [primaryKey({ columns: [table.lowId, table.highId] }), index("alumni_distinct_high").on(table.highId)],
);

/** An import on its way; the import's id is its own. A day after the last touch it is gone, or kept empty once it landed. */
export const alumniStaging = sqliteTable(
  "alumni_staging",
  {
    id: text().primaryKey(),
    userId: text().notNull(),
    /** Empty when the rows come in parts and not as a file. */
    fileId: line(),
    fileName: text().notNull(),
    head: text({ mode: "json" }).$type<Head>().notNull(),
    /** How many parts of rows make the file. */
    parts: integer().notNull(),
    /** Rises with every plan and every part: what an earlier plan staged is no longer meant. */
    planNo: integer().notNull().default(0),
    /** How many parts the newest plan has compared so far. */
    plannedParts: integer().notNull().default(0),
    /** The book's revision that the newest plan is for; null until it is whole. */
    plannedRevision: integer(),
    summary: text({ mode: "json" }).$type<ImportSummary>(),
    landedDate: date(),
    createdDate: date().notNull(),
    touchedDate: date().notNull(),
  },
  (table) => [index("alumni_staging_touched").on(table.touchedDate), index("alumni_staging_user").on(table.userId)],
);

export interface ImportSummary {
  mode: "insert" | "upsert";
  total: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Rows in JSON, as many as go into one value of D1: as they were sent, and what the plan makes of them. */
export const alumniStaged = sqliteTable(
  "alumni_staged",
  {
    importId: text()
      .notNull()
      .references(() => alumniStaging.id, { onDelete: "cascade" }),
    kind: text().$type<"sent" | "insert" | "update" | "refused">().notNull(),
    /** 0 for what was sent. */
    planNo: integer().notNull(),
    partNo: integer().notNull(),
    rows: text().notNull(),
    /** SHA-256 of a sent part, by which the browser knows what need not be sent again. */
    hash: line(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.kind, table.planNo, table.partNo] })],
);
