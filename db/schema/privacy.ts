import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PrivacyRequestKind, PrivacyRequestStatus } from "#worker/contract/privacy/rules.ts";
import { dateColumn, requiredDate, requiredText, textColumn, versionColumn } from "../columns.ts";

/** What a person asks of the office by 법 제35조 to 제37조: access, correction, erasure, suspension. */
export const privacyRequest = sqliteTable(
  "privacy_request",
  {
    id: text().primaryKey(),
    kind: text().$type<PrivacyRequestKind>().notNull(),
    status: text().$type<PrivacyRequestStatus>().notNull(),
    /** The member it comes from; null for somebody without an account, and once the member's data is destroyed. */
    userId: text(),
    requesterName: requiredText(),
    /** The e-mail address that the answer goes to; empty where it is answered by post. */
    contact: textColumn(),
    content: requiredText(),
    answer: textColumn(),
    /** Why the answer comes later than the law's days. */
    extendedReason: textColumn(),
    receivedDate: requiredDate(),
    /** The last moment of the last day in Korea. */
    dueDate: requiredDate(),
    closedDate: dateColumn(),
    handlerUserId: text(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    index("privacy_request_due").on(table.status, table.dueDate),
    index("privacy_request_received").on(table.receivedDate),
    index("privacy_request_user").on(table.userId),
  ],
);

/** Whose request for suspension (법 제37조) was granted: what rests on their choice is not done for them. */
export const suspension = sqliteTable("suspension", {
  userId: text().primaryKey(),
  requestId: requiredText(),
  createdDate: requiredDate(),
});

/** That somebody was warned when their account ends; void as soon as they come back. */
export const deletionWarning = sqliteTable(
  "retention_notice",
  { userId: requiredText(), createdDate: requiredDate() },
  (table) => [primaryKey({ columns: [table.userId, table.createdDate] })],
);

/** Holds a row only inside the batch in which a retention rule deletes old access records; the triggers in audit.ts look for it. */
export const retentionRunWindow = sqliteTable("retention_permit", {
  rule: text().primaryKey(),
  beforeDate: requiredDate(),
});
