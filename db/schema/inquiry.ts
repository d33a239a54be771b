import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { InquiryCategory, InquiryStatus } from "#worker/contract/inquiry/rules.ts";
import { flagColumn, requiredDate, requiredText, versionColumn, orderColumn } from "../columns.ts";

/** A member's question to the office: what it is about, and how far it is. Its words stand in the messages. */
export const inquiry = sqliteTable(
  "inquiry",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    category: text().$type<InquiryCategory>().notNull(),
    subject: requiredText(),
    status: text().$type<InquiryStatus>().notNull(),
    createdDate: requiredDate(),
    /** When the last message came, or when it was closed. */
    lastDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    index("inquiry_user").on(table.userId, table.lastDate),
    index("inquiry_status").on(table.status, table.lastDate),
  ],
);

/** What the member wrote, and what the office answered. */
export const inquiryMessage = sqliteTable(
  "inquiry_message",
  {
    id: text().primaryKey(),
    inquiryId: requiredText(),
    /** Answered by the office; else written by the member. */
    isOffice: flagColumn(),
    authorUserId: requiredText(),
    content: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [index("inquiry_message_inquiry").on(table.inquiryId, table.createdDate)],
);

/** What hangs on a message: read by its member and by those who answer, and by nobody else. */
export const inquiryFile = sqliteTable(
  "inquiry_file",
  {
    fileId: text().primaryKey(),
    inquiryId: requiredText(),
    messageId: requiredText(),
    sortOrder: orderColumn(),
  },
  (table) => [index("inquiry_file_inquiry").on(table.inquiryId)],
);
