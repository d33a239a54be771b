import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PrivacyRequestKind, PrivacyRequestStatus } from "#worker/contract/privacy/privacy.ts";
import { dateColumn, requiredDate, requiredText, textColumn, versionColumn } from "../columns.ts";

export const privacyRequest = sqliteTable(
  "privacy_request",
  {
    id: text().primaryKey(),
    kind: text().$type<PrivacyRequestKind>().notNull(),
    status: text().$type<PrivacyRequestStatus>().notNull(),
    /** Null for requesters without an account, and once the member's data is destroyed. */
    userId: text(),
    requesterName: requiredText(),
    contact: textColumn(),
    content: requiredText(),
    answer: textColumn(),
    extendedReason: textColumn(),
    receivedDate: requiredDate(),
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

/** Granted request for suspension (법 제37조): optional processing stops. */
export const suspension = sqliteTable("suspension", {
  userId: text().primaryKey(),
  requestId: requiredText(),
  createdDate: requiredDate(),
});

export const retentionNotice = sqliteTable(
  "retention_notice",
  { userId: requiredText(), createdDate: requiredDate() },
  (table) => [primaryKey({ columns: [table.userId, table.createdDate] })],
);

/** Filled only inside the batch that deletes old access records; checked by the triggers in audit.ts. */
export const retentionPermit = sqliteTable("retention_permit", {
  rule: text().primaryKey(),
  beforeDate: requiredDate(),
});
