import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";

/** Append-only, enforced by the triggers below. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdDate: requiredDate(),
    actorUserId: text(),
    address: requiredText(),
    action: requiredText(),
    targetType: requiredText(),
    targetId: textColumn(),
    subjectCount: integer().notNull().default(0),
    reason: textColumn(),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>(),
    requestId: requiredText(),
  },
  (table) => [
    index("audit_log_created").on(table.createdDate),
    index("audit_log_actor").on(table.actorUserId, table.createdDate),
    index("audit_log_target").on(table.targetType, table.targetId, table.createdDate),
    index("audit_log_action").on(table.action, table.createdDate),
  ],
);

/** People of an audit row, by ids of accounts and alumni entries. Append-only, expires with its row. */
export const auditSubject = sqliteTable(
  "audit_subject",
  {
    auditId: integer().notNull(),
    part: integer().notNull(),
    ids: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.auditId, table.part] })],
);

/** The same by person, for the search of the log. Only triggers write it. */
export const auditPerson = sqliteTable(
  "audit_person",
  { subjectId: requiredText(), auditId: integer().notNull() },
  (table) => [primaryKey({ columns: [table.subjectId, table.auditId] })],
);

export const auditTablesWithoutRowid = [auditPerson];

/** One row: the clock by which data gets old. */
export const ageClock = sqliteTable("age_clock", {
  id: integer().primaryKey(),
  /** The last run of a clock that is trusted. */
  trustedDate: requiredDate(),
  /** First and last run of a clock that jumped; null while it is trusted. */
  jumpedDate: dateColumn(),
  lastDate: dateColumn(),
});

/** Register of destroyed data. Append-only and without personal data: people are keyed hashes of their id. */
export const destruction = sqliteTable(
  "destruction",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdDate: requiredDate(),
    kind: requiredText(),
    rule: requiredText(),
    basis: requiredText(),
    subjectRef: textColumn(),
    count: integer().notNull(),
    /** Fingerprint of the list shown before confirmation. */
    fingerprint: textColumn(),
    actorUserId: text(),
  },
  (table) => [index("destruction_created").on(table.createdDate)],
);

/**
 * Keyed digests that find the exports of a destroyed person without revealing who. Append-only, expires with the access
 * records.
 */
export const destroyedTrace = sqliteTable(
  "destroyed_trace",
  {
    digest: requiredText(),
    subjectId: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.digest, table.subjectId] }),
    index("destroyed_trace_created").on(table.createdDate),
  ],
);

/** As `destroyed_trace`, for people only in a kept backup. Removed with the last such backup. */
export const backupTrace = sqliteTable(
  "backup_trace",
  {
    digest: requiredText(),
    subjectId: requiredText(),
    subjectType: text().$type<"user" | "alumni" | "item">().notNull(),
    /** Start of the period in which the person or item existed. */
    sinceDate: requiredDate(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.digest, table.subjectId] }),
    index("backup_trace_created").on(table.createdDate),
  ],
);

const refuse = (table: string, act: "UPDATE" | "DELETE", when = "") =>
  `CREATE TRIGGER \`${table}_no_${act.toLowerCase()}\` BEFORE ${act} ON \`${table}\`${when} BEGIN
  SELECT RAISE(ABORT, '${table} is append-only');
END`;

// Keeps a year regardless of the retention rule; older rows need a `retention_permit`.
const whileKept = (date: string) => `
WHEN ${date} > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND ${date} < before_date)`;

const KEPT_DATES = {
  audit_log: "OLD.created_date",
  audit_subject: "(SELECT created_date FROM audit_log WHERE id = OLD.audit_id)",
  destroyed_trace: "OLD.created_date",
};

export const auditTriggers = [
  ...Object.entries(KEPT_DATES).flatMap(([table, date]) => [
    refuse(table, "UPDATE"),
    refuse(table, "DELETE", whileKept(date)),
  ]),
  `CREATE TRIGGER audit_person_new AFTER INSERT ON audit_subject BEGIN
  INSERT OR IGNORE INTO audit_person (subject_id, audit_id) SELECT value, NEW.audit_id FROM json_each(CASE WHEN json_valid(NEW.ids) THEN NEW.ids ELSE '[]' END);
END`,
  `CREATE TRIGGER audit_person_gone AFTER DELETE ON audit_subject BEGIN
  DELETE FROM audit_person WHERE audit_id = OLD.audit_id AND subject_id IN (SELECT value FROM json_each(CASE WHEN json_valid(OLD.ids) THEN OLD.ids ELSE '[]' END));
END`,
  refuse("destruction", "UPDATE"),
  refuse("destruction", "DELETE"),
];
