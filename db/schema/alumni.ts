import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { EMPTY_ALUMNI_VALUES, type PrivateField } from "#worker/contract/alumni/columns.ts";
import type { SelfIssue } from "#worker/contract/alumni/certificate.ts";
import type { ConfirmationKind } from "#worker/contract/alumni/confirmation-rules.ts";
import type { AlumniViewContent } from "#worker/contract/alumni/conditions.ts";
import type { OwnFieldAccess, OwnFieldCode, OwnFieldKind, OwnValues } from "#worker/contract/alumni/own-fields.ts";
import {
  closableColumns,
  dateColumn,
  deletableColumns,
  flagColumn,
  partialIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";
import { GONE_STATES } from "#worker/contract/mail/letters.ts";
import type { CorrectionState, ProposedField, ProposedValues } from "#worker/contract/alumni/representative.ts";

/** Literal words, so that the partial index serves it. */
export const IS_GONE = `state IN (${GONE_STATES.map((state) => `'${state}'`).join(", ")})`;

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
    state: text().notNull().default(EMPTY_ALUMNI_VALUES.state),
    /** Korean day, or empty. */
    stateDate: textColumn(),
    stateNote: textColumn(),
    refuses: textColumn(),
    own: text({ mode: "json" }).$type<OwnValues>().notNull().default({}),
    /** Contact and own fields that the person shows to other members. */
    openFields: text({ mode: "json" }).$type<(PrivateField | OwnFieldCode)[]>().notNull().default([]),
    initials: textColumn(),
    searchAll: textColumn(),
    searchOpen: textColumn(),
    importId: text(),
    /** Address before an unauthorised change; the entry has no owner until the new one is confirmed. */
    emailHold: text(),
    /** Row that absorbed this one in a merge; this one is then deleted. */
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
    partialIndex("alumni_gone", sql.raw(`deleted_date IS NULL AND ${IS_GONE}`), table.cohort),
    partialIndex("alumni_held", sql`email_hold IS NOT NULL`, table.name, table.id),
    // Covers every column the list searches, filters and sorts by, so that searches skip whole rows.
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
    // The last four digits survived the change from 011 to 010.
    partialIndex(
      "alumni_name_tail",
      sql`deleted_date IS NULL AND mobile <> ''`,
      table.name,
      sql`substr(mobile, -4)`,
      table.mobile,
      table.id,
    ),
    // Ignores spaces and case: 김 철수 and 김철수, Kim and KIM.
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

/** Fields that the office defines. A closed one keeps its values and can be reopened. */
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

/** One row a value of `alumni.own`, written by triggers only. WITHOUT ROWID, as imports write 50,000 at once. */
export const alumniValue = sqliteTable(
  "alumni_value",
  {
    alumniId: text().notNull(),
    field: text().notNull(),
    value: blob().$type<string | number>().notNull(),
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.field, table.value, table.name, table.alumniId] })],
);

export const alumniTablesWithoutRowid = [alumniValue];

export const OWN_VALUES = `CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END`;

const valuesOf = (row: "OLD" | "NEW") =>
  `SELECT f.key AS field, v.value, ${row}.name AS name, ${row}.id AS id FROM json_each(CASE WHEN json_valid(${row}.own) THEN ${row}.own ELSE '{}' END) AS f
    JOIN json_each(${OWN_VALUES}) AS v`;

// SQLite uses the whole primary key only with the compound select in brackets.
/** Writes one row a value, several for several choices; an update touches only changed values. */
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

/** Saved list setup, private or shared with everyone who may see its fields. */
export const alumniView = sqliteTable(
  "alumni_view",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    name: requiredText(),
    isShared: flagColumn(),
    content: text({ mode: "json" }).$type<AlumniViewContent>().notNull(),
    createdDate: requiredDate(),
    deletedDate: dateColumn(),
    version: versionColumn(),
  },
  (table) => [
    index("alumni_view_user").on(table.userId),
    partialIndex("alumni_view_shared", sql`is_shared = 1`, table.isShared),
  ],
);

export const alumniConfirmation = sqliteTable("alumni_confirmation", {
  alumniId: text().primaryKey(),
  kind: text().$type<ConfirmationKind>().notNull(),
  confirmedDate: requiredDate(),
  /** By field; a value changed by someone else no longer matches its hash. */
  hashes: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
});

/** One row, whose number rises with every write: invalidates outdated import previews. */
export const alumniState = sqliteTable("alumni_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
});

/** Pair of possible duplicates marked as two persons. */
export const alumniDistinct = sqliteTable(
  "alumni_distinct",
  {
    lowId: requiredText(),
    highId: requiredText(),
    userId: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [primaryKey({ columns: [table.lowId, table.highId] }), index("alumni_distinct_high").on(table.highId)],
);

/** Certificates that the office offers: text with placeholders, issuer, seal and rules of issuing. */
export const certificateKind = sqliteTable(
  "certificate_kind",
  {
    id: text().primaryKey(),
    name: requiredText(),
    body: requiredText(),
    organization: textColumn(),
    chair: textColumn(),
    /** A picture in `file`. */
    sealId: textColumn(),
    withAffiliation: flagColumn(),
    withPurpose: flagColumn(),
    numberPattern: requiredText(),
    /** A year that began on paper, and its first number here; 0 for none. */
    startYear: integer().notNull().default(0),
    startNumber: integer().notNull().default(0),
    /** Validity; 0 for no end. */
    months: integer().notNull().default(0),
    selfIssue: text().$type<SelfIssue>().notNull(),
    ...closableColumns(),
  },
  (table) => [index("certificate_kind_order").on(table.sortOrder)],
);

/** Issued certificates, with their text as issued. A check also reads the account or entry, so that none outlives it. */
export const alumniCertificate = sqliteTable(
  "alumni_certificate",
  {
    id: text().primaryKey(),
    number: requiredText(),
    userId: text(),
    alumniId: text(),
    purpose: textColumn(),
    createdUserId: requiredText(),
    createdDate: requiredDate(),
    expiresDate: dateColumn(),
    withdrawnDate: dateColumn(),
    withdrawReason: textColumn(),
    /** Of an issue to several people at once. */
    issueId: text(),
    kindName: textColumn(),
    name: textColumn(),
    body: textColumn(),
    organization: textColumn(),
    chair: textColumn(),
    affiliation: textColumn(),
    sealId: textColumn(),
    /** The number's pattern with its year; the serial number counts its certificates. */
    series: textColumn(),
    serial: integer(),
  },
  (table) => [
    uniqueIndex("alumni_certificate_number").on(table.number),
    partialIndex("alumni_certificate_user", sql`user_id IS NOT NULL`, table.userId, table.createdDate),
    partialIndex("alumni_certificate_person", sql`alumni_id IS NOT NULL`, table.alumniId),
    index("alumni_certificate_created").on(table.createdDate, table.id),
    uniqueIndex("alumni_certificate_serial").on(table.series, table.serial),
    partialIndex("alumni_certificate_issue", sql`issue_id IS NOT NULL`, table.issueId),
    partialIndex("alumni_certificate_seal", sql`seal_id <> ''`, table.sealId),
    check("alumni_certificate_of_one", sql`(user_id IS NULL) <> (alumni_id IS NULL)`),
  ],
);

/** Correction proposed by a cohort representative, until the office accepts or refuses it. */
export const alumniCorrection = sqliteTable(
  "alumni_correction",
  {
    id: text().primaryKey(),
    alumniId: requiredText(),
    userId: requiredText(),
    cohort: integer().notNull(),
    fields: text({ mode: "json" }).$type<ProposedField[]>().notNull(),
    /** Emptied with the note once decided, so that no unused personal data stays. */
    values: text({ mode: "json" }).$type<ProposedValues>().notNull(),
    note: textColumn(),
    state: text().$type<CorrectionState>().notNull(),
    answer: textColumn(),
    createdDate: requiredDate(),
    decidedDate: dateColumn(),
  },
  (table) => [
    uniqueIndex("alumni_correction_waiting")
      .on(table.alumniId, table.userId)
      .where(sql`state = 'waiting'`),
    index("alumni_correction_person").on(table.alumniId, table.userId, table.createdDate),
    index("alumni_correction_state").on(table.state, table.createdDate),
    index("alumni_correction_user").on(table.userId),
  ],
);
