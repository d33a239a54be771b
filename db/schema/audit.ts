import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { requiredDate, requiredText, textColumn } from "../columns.ts";

/** Append only: the triggers below refuse what the code never does. */
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

/** Who was in an export: a list of numbers by parts. Append only, removed with the access records of its time. */
export const exportSubject = sqliteTable(
  "export_subject",
  {
    /** `targetId` of the export's row in the audit log. */
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

/** Register of what was destroyed. Append only, and without personal data: a person is a keyed hash of their id. */
export const destruction = sqliteTable(
  "destruction",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdDate: requiredDate(),
    /** What was destroyed, as its rule names it. */
    kind: requiredText(),
    rule: requiredText(),
    /** Why, in words: "마지막 이용 뒤 365일". */
    basis: requiredText(),
    subjectRef: textColumn(),
    count: integer().notNull(),
    /** Of the list that was shown before it was confirmed. */
    fingerprint: textColumn(),
    actorUserId: text(),
  },
  (table) => [index("destruction_created").on(table.createdDate)],
);

/**
 * By which an export is found that held somebody who is gone: keyed digests of what the office may still know of them. Nobody
 * reads from it who they were. Append only, removed with the access records of its time.
 */
export const destroyedTrace = sqliteTable(
  "destroyed_trace",
  {
    digest: requiredText(),
    /** As it stands in the lists of exports. */
    subjectId: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.digest, table.subjectId] }),
    index("destroyed_trace_created").on(table.createdDate),
  ],
);

/**
 * The same of whoever a kept backup holds and no export did: only should that backup be downloaded is it known by them that
 * they were in it. Goes with the last backup that holds them.
 */
export const backupTrace = sqliteTable(
  "backup_trace",
  {
    digest: requiredText(),
    subjectId: requiredText(),
    subjectType: text().$type<"user" | "alumni">().notNull(),
    /** From when to when they were there. */
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

// A year stays whatever the retention rule says; older rows go while `retention_permit` names a date after them.
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
