import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RequestKind, RequestStatus } from "#worker/contract/privacy/rules.ts";

const date = () => integer({ mode: "timestamp_ms" });

/** What a person asks of the office by 법 제35조 to 제37조: access, correction, erasure, suspension. */
export const privacyRequest = sqliteTable(
  "privacy_request",
  {
    id: text().primaryKey(),
    kind: text().$type<RequestKind>().notNull(),
    status: text().$type<RequestStatus>().notNull(),
    /** The member it comes from; null for somebody without an account. Emptied with the rest when he is destroyed. */
    userId: text(),
    requesterName: text().notNull(),
    /** The e-mail address that the answer goes to; empty where it is answered by post. */
    contact: text().notNull().default(""),
    content: text().notNull(),
    answer: text().notNull().default(""),
    /** Why the answer comes later than the law's days. */
    extendedReason: text().notNull().default(""),
    receivedDate: date().notNull(),
    /** The last moment of the last day in Korea. */
    dueDate: date().notNull(),
    closedDate: date(),
    handlerUserId: text(),
    modifiedDate: date().notNull(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index("privacy_request_due").on(table.status, table.dueDate),
    index("privacy_request_received").on(table.receivedDate),
    index("privacy_request_user").on(table.userId),
  ],
);

/** Whose request for suspension (법 제37조) was granted: what rests on his choice is not done for him. */
export const suspension = sqliteTable("suspension", {
  userId: text().primaryKey(),
  requestId: text().notNull(),
  createdDate: date().notNull(),
});

/** That somebody was told when his account ends; void as soon as he comes back. */
export const retentionNotice = sqliteTable(
  "retention_notice",
  { userId: text().notNull(), createdDate: date().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.createdDate] })],
);

/** Register of what was destroyed. Append only, and without personal data: a person is a keyed hash of his number. */
export const destruction = sqliteTable(
  "destruction",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    createdDate: date().notNull(),
    /** What was destroyed, as its rule names it. */
    kind: text().notNull(),
    rule: text().notNull(),
    /** Why, in words: "마지막 이용 뒤 365일". */
    basis: text().notNull(),
    subjectRef: text().notNull().default(""),
    count: integer().notNull(),
    /** Of the list that was shown before. */
    fingerprint: text().notNull().default(""),
    actorUserId: text(),
  },
  (table) => [index("destruction_created").on(table.createdDate)],
);

/** Open only inside the batch in which the retention rule removes old access records; the triggers look here. */
export const retentionPermit = sqliteTable("retention_permit", {
  rule: text().primaryKey(),
  beforeDate: date().notNull(),
});

/** Who was in an export: a list of numbers by parts. Append only, removed with the access records of its time. */
export const exportSubject = sqliteTable(
  "export_subject",
  {
    /** `targetId` of the export's row in the audit log. */
    exportId: text().notNull(),
    part: integer().notNull(),
    subjectType: text().$type<"user" | "alumni">().notNull(),
    ids: text({ mode: "json" }).$type<string[]>().notNull(),
    createdDate: date().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.exportId, table.part] }),
    index("export_subject_created").on(table.createdDate),
  ],
);
