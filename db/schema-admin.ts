import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const date = () => integer({ mode: "timestamp_ms" });

/** The last run of each scheduled job. */
export const job = sqliteTable("job", {
  name: text().primaryKey(),
  startedDate: date().notNull(),
  finishedDate: date(),
  status: text().$type<"running" | "ok" | "failed">().notNull(),
  error: text().notNull().default(""),
});

/** A role that somebody holds beside his own, for a period. */
export const roleGrant = sqliteTable(
  "role_grant",
  {
    id: text().primaryKey(),
    userId: text().notNull(),
    roleCode: text().notNull(),
    startDate: date().notNull(),
    /** Exclusive; null until it is ended. */
    endDate: date(),
    createdDate: date().notNull(),
  },
  (table) => [index("role_grant_user").on(table.userId, table.startDate), index("role_grant_role").on(table.roleCode)],
);

/** Append only: no verb updates or deletes a row. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdDate: date().notNull(),
    actorUserId: text(),
    address: text().notNull(),
    action: text().notNull(),
    targetType: text().notNull(),
    targetId: text().notNull().default(""),
    subjectCount: integer().notNull().default(0),
    reason: text().notNull().default(""),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>(),
    requestId: text().notNull(),
  },
  (table) => [
    index("audit_log_created").on(table.createdDate),
    index("audit_log_actor").on(table.actorUserId, table.createdDate),
    index("audit_log_target").on(table.targetType, table.targetId, table.createdDate),
    index("audit_log_action").on(table.action, table.createdDate),
  ],
);
