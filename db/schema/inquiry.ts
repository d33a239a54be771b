import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { InquiryCategory, InquiryStatus } from "#worker/contract/inquiry/inquiry.ts";
import { flagColumn, requiredDate, requiredText, versionColumn, orderColumn } from "../columns.ts";

export const inquiry = sqliteTable(
  "inquiry",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    category: text().$type<InquiryCategory>().notNull(),
    subject: requiredText(),
    status: text().$type<InquiryStatus>().notNull(),
    createdDate: requiredDate(),
    lastDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    index("inquiry_user").on(table.userId, table.lastDate),
    index("inquiry_status").on(table.status, table.lastDate),
  ],
);

export const inquiryMessage = sqliteTable(
  "inquiry_message",
  {
    id: text().primaryKey(),
    inquiryId: requiredText(),
    isOffice: flagColumn(),
    authorUserId: requiredText(),
    content: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [index("inquiry_message_inquiry").on(table.inquiryId, table.createdDate)],
);

/** Attachments of a message, readable by its member and the answering office only. */
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
