import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { requiredDate, requiredText, textColumn } from "../columns.ts";

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

/** People in an export, as a list in parts. Append-only, expires with the access records. */
export const exportSubject = sqliteTable(
  "export_subject",
  {
    exportId: requiredText(),
    part: integer().notNull(),
    subjectType: text().$type<"user" | "alumni">().notNull(),
    ids: text({ mode: "json" }).$type<string[]>().notNull(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.exportId, table.part] }),
    index("export_subject_created").on(table.createdDate),
  ],
);

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
const WHILE_KEPT = `
WHEN OLD.created_date > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND OLD.created_date < before_date)`;

export const auditTriggers = [
  ...["audit_log", "export_subject", "destroyed_trace"].flatMap((table) => [
    refuse(table, "UPDATE"),
    refuse(table, "DELETE", WHILE_KEPT),
  ]),
  refuse("destruction", "UPDATE"),
  refuse("destruction", "DELETE"),
];
