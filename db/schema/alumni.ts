import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PrivateField } from "#worker/contract/alumni/columns.ts";
import type { ConfirmationKind } from "#worker/contract/alumni/confirmation-rules.ts";
import type { AlumniViewContent } from "#worker/contract/alumni/list-view.ts";
import type { OwnFieldAccess, OwnFieldCode, OwnFieldKind, OwnValues } from "#worker/contract/alumni/own-fields.ts";
import {
  dateColumn,
  deletableColumns,
  flagColumn,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
  closableColumns,
} from "../columns.ts";
import { partialIndex } from "../indexes.ts";

export const alumni = sqliteTable(
  "alumni",
  {
    id: text().primaryKey(),
    name: requiredText(),
    cohort: integer(),
    graduationYear: integer(),
    major: textColumn(),
    affiliation: textColumn(),
    department: textColumn(),
    position: textColumn(),
    email: textColumn(),
    mobile: textColumn(),
    phone: textColumn(),
    zipCode: textColumn(),
    address: textColumn(),
    memo: textColumn(),
    /** Values of the office's own fields; `alumni_value` follows them. */
    own: text({ mode: "json" }).$type<OwnValues>().notNull().default({}),
    /** Contact fields, and own fields that a person may open, that the person shows to other members. */
    openFields: text({ mode: "json" }).$type<(PrivateField | OwnFieldCode)[]>().notNull().default([]),
    /** Made from the row by `searchTexts` and `initialsOf` at every write. */
    initials: textColumn(),
    searchAll: textColumn(),
    searchOpen: textColumn(),
    /** The import that added the row, for its undo. */
    importId: text(),
    /** The address before somebody changed it who may not correct the book; till the new one is confirmed the entry is nobody's own. */
    emailHold: text(),
    /** The row that took this one over in a merge; this one is deleted then. */
    mergedInto: text(),
    ...deletableColumns(),
    version: versionColumn(),
  },
  (table) => [
    partialIndex("alumni_name", sql`deleted_date IS NULL`, table.name, table.id),
    partialIndex("alumni_cohort", sql`deleted_date IS NULL`, table.cohort, table.name, table.id),
    partialIndex("alumni_year", sql`deleted_date IS NULL`, table.graduationYear, table.name, table.id),
    partialIndex("alumni_affiliation", sql`deleted_date IS NULL`, table.affiliation, table.name, table.id),
    partialIndex("alumni_created", sql`deleted_date IS NULL`, table.createdDate, table.id),
    partialIndex("alumni_email", sql`email <> ''`, table.email),
    // Covers all that the list searches, filters and sorts by, so that a keyword search reads no whole rows.
    partialIndex(
      "alumni_search",
      sql`deleted_date IS NULL`,
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
    ),
    partialIndex("alumni_mobile", sql`deleted_date IS NULL AND mobile <> ''`, table.mobile, table.id),
    // The last four digits stayed the same when 011 numbers became 010.
    partialIndex(
      "alumni_name_tail",
      sql`deleted_date IS NULL AND mobile <> ''`,
      table.name,
      sql`substr(mobile, -4)`,
      table.mobile,
      table.id,
    ),
    // Duplicates differ in spaces and case: 김 철수 and 김철수, Kim and KIM.
    partialIndex(
      "alumni_name_alike",
      sql`deleted_date IS NULL`,
      sql`lower(replace(name, ' ', ''))`,
      table.name,
      table.id,
    ),
    partialIndex("alumni_import_rows", sql`import_id IS NOT NULL`, table.importId),
    partialIndex("alumni_bin", sql`deleted_date IS NOT NULL`, table.deletedDate),
  ],
);

/** Fields that the office adds to those of the contract. A closed one keeps its values and can be opened again. */
export const alumniField = sqliteTable(
  "alumni_field",
  {
    code: text().$type<OwnFieldCode>().primaryKey(),
    name: text().notNull(),
    kind: text().$type<OwnFieldKind>().notNull(),
    choices: text({ mode: "json" }).$type<string[]>().notNull(),
    required: flagColumn(),
    access: text().$type<OwnFieldAccess>().notNull(),
    personEdits: flagColumn(),
    inList: flagColumn(),
    ...closableColumns(),
  },
  (table) => [index("alumni_field_order").on(table.isClosed, table.sortOrder, table.code)],
);

/** The values of `alumni.own` one by one, written by triggers alone: filters, searches and orders go down its primary key. One tree alone (WITHOUT ROWID), as an import of 50,000 writes it in one batch. */
export const alumniValue = sqliteTable(
  "alumni_value",
  {
    alumniId: text().notNull(),
    field: text().notNull(),
    /** A text or a number, as it stands in the JSON. */
    value: blob().$type<string | number>().notNull(),
    /** The person's, by which equal values are ordered. */
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.field, table.value, table.name, table.alumniId] })],
);

export const alumniTablesWithoutRowid = [alumniValue];

/** The values of a field `f` of `own`, of a file its name. */
export const OWN_VALUES = `CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END`;

const valuesOf = (row: "OLD" | "NEW") =>
  `SELECT f.key AS field, v.value, ${row}.name AS name, ${row}.id AS id FROM json_each(CASE WHEN json_valid(${row}.own) THEN ${row}.own ELSE '{}' END) AS f
    JOIN json_each(${OWN_VALUES}) AS v`;

// Of a compound select in brackets alone, SQLite looks each row up by the whole primary key.
/** One row of `alumni_value` for each value, several for several choices; a change writes those alone that are others. */
export const alumniTriggers = [
  `CREATE TRIGGER alumni_value_new AFTER INSERT ON alumni WHEN NEW.own <> '{}' BEGIN
  INSERT OR IGNORE INTO alumni_value (field, value, name, alumni_id)
    ${valuesOf("NEW")};
END`,
  `CREATE TRIGGER alumni_value_changed AFTER UPDATE OF own, name ON alumni WHEN (OLD.own, OLD.name) IS NOT (NEW.own, NEW.name) BEGIN
  DELETE FROM alumni_value WHERE (field, value, name, alumni_id) IN (SELECT * FROM (
    ${valuesOf("OLD")}
    EXCEPT ${valuesOf("NEW")}));
  INSERT OR IGNORE INTO alumni_value (field, value, name, alumni_id)
    ${valuesOf("NEW")}
    EXCEPT ${valuesOf("OLD")};
END`,
  `CREATE TRIGGER alumni_value_gone AFTER DELETE ON alumni WHEN OLD.own <> '{}' BEGIN
  DELETE FROM alumni_value WHERE (field, value, name, alumni_id) IN (
    ${valuesOf("OLD")});
END`,
];

/** How somebody set the list up, under a name: their own, or shared with whoever may see what it asks for. */
export const alumniView = sqliteTable(
  "alumni_view",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    name: requiredText(),
    isShared: flagColumn(),
    content: text({ mode: "json" }).$type<AlumniViewContent>().notNull(),
    createdDate: requiredDate(),
    /** Can be taken back for a day. */
    deletedDate: dateColumn(),
    version: versionColumn(),
  },
  (table) => [
    index("alumni_view_user").on(table.userId),
    partialIndex("alumni_view_shared", sql`is_shared = 1`, table.isShared),
  ],
);

/** When people last said that their entry is right. What they said it of is known by keyed hashes, so that nothing of it lies twice. */
export const alumniConfirmation = sqliteTable("alumni_confirmation", {
  alumniId: text().primaryKey(),
  kind: text().$type<ConfirmationKind>().notNull(),
  confirmedDate: requiredDate(),
  /** By field; one that was changed by somebody else since has another hash. */
  hashes: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
});

/** One row: its number rises with every write, so that an import previewed on older rows is not committed. */
export const alumniState = sqliteTable("alumni_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
});

/** A pair of possible duplicates that somebody has marked as two persons. */
export const alumniNotDuplicate = sqliteTable(
  "alumni_distinct",
  {
    lowId: requiredText(),
    highId: requiredText(),
    userId: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [primaryKey({ columns: [table.lowId, table.highId] }), index("alumni_distinct_high").on(table.highId)],
);
