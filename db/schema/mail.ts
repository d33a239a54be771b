import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ActivityDetail, ActivityKind, MessageChannel } from "#worker/contract/mail/mail.ts";
import {
  dateColumn,
  flagColumn,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
} from "../columns.ts";

/** Outbox of mail, SMS and Kakao messages: written in the batch of the change, sent later. */
export const message = sqliteTable(
  "message",
  {
    id: text().primaryKey(),
    channel: text().$type<MessageChannel>().notNull(),
    /** Account it concerns, so that retirement finds it by any address. */
    userId: text(),
    recipient: requiredText(),
    subject: requiredText(),
    /** Emptied once a real provider took a message with a code. */
    body: requiredText(),
    pincode: text(),
    /** `held`: may already be sent, after a restore or without an answer from the provider. */
    status: text().$type<"queued" | "sent" | "failed" | "held">().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptDate: dateColumn(),
    createdDate: requiredDate(),
    sentDate: dateColumn(),
    onceKey: text(),
    /** Sent a hundred at a time, after messages that someone waits for. */
    isBulk: flagColumn(),
    isAdvertising: flagColumn(),
    /** Signed unsubscribe token, usable without a sign-in. */
    offToken: text(),
    /** Its group of a hundred; the provider's idempotency key. */
    batchId: text(),
    /** The provider's message id, which its delivery reports name. */
    providerId: text(),
    /** Other people named in the text, by account; retirement removes its own. */
    aboutPeople: text({ mode: "json" }).$type<Record<string, string>>(),
    /** Approved Kakao template and its variables. */
    alimtalk: text({ mode: "json" }).$type<{ templateCode: string; variables: Record<string, string> }>(),
    providerGroup: text(),
    /** The attachment, read from R2 when the mail goes out. */
    fileId: text(),
  },
  (table) => [
    partialIndex("message_due_single", sql`status = 'queued' AND is_bulk = 0`, table.nextAttemptDate),
    partialIndex(
      "message_due_bulk",
      sql`status = 'queued' AND is_bulk = 1`,
      table.channel,
      table.isAdvertising,
      table.nextAttemptDate,
    ),
    partialIndex("message_batch", sql`status = 'queued' AND batch_id IS NOT NULL`, table.batchId),
    partialUniqueIndex("message_once", sql`once_key IS NOT NULL`, table.onceKey),
    index("message_created").on(table.createdDate),
    index("message_status").on(table.status, table.createdDate),
    index("message_recipient").on(table.recipient),
    index("message_user").on(table.userId),
    partialIndex("message_about", sql`about_people IS NOT NULL`, table.aboutPeople),
    partialIndex("message_provider", sql`provider_id IS NOT NULL`, table.providerId),
    partialIndex("message_pincode", sql`pincode IS NOT NULL`, table.createdDate),
  ],
);

export const mailTemplate = sqliteTable("mail_template", {
  kind: text().primaryKey(),
  subject: requiredText(),
  body: requiredText(),
  version: integer().notNull(),
  modifiedDate: requiredDate(),
});

/**
 * `item`: opt-in for board `target`; `comment`: opt-out of comment mail; `bell`: in-site notifications of kind
 * `target`.
 */
export const noticeChoice = sqliteTable(
  "notice_choice",
  {
    kind: text().$type<"item" | "comment" | "bell">().notNull(),
    target: textColumn(),
    userId: requiredText(),
    isOn: integer({ mode: "boolean" }).notNull(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.target, table.userId] }),
    index("notice_choice_user").on(table.userId),
  ],
);

/** Item or comment whose notifications are still being written; deleted once complete. */
export const noticePending = sqliteTable(
  "notice_pending",
  {
    kind: text().$type<"item" | "comment">().notNull(),
    sourceId: requiredText(),
    itemId: integer().notNull(),
    /** Last follower whose message was written; the job continues from there. */
    doneUserId: textColumn(),
    /** Debounces comments into one notification; 0 to send at once. */
    dueDate: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.kind, table.sourceId] }), index("notice_pending_item").on(table.itemId)],
);

/** In-site notification. Item and comment texts are read when shown, with the rights of that moment. */
export const activity = sqliteTable(
  "activity",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: requiredText(),
    kind: text().$type<ActivityKind>().notNull(),
    itemId: integer(),
    commentId: text(),
    detail: text({ mode: "json" }).$type<ActivityDetail>().notNull(),
    createdDate: requiredDate(),
    readDate: dateColumn(),
    /** `item:{id}:{userId}`: the unique index notifies each person once. */
    onceKey: text(),
  },
  (table) => [
    index("activity_user").on(table.userId, table.id),
    partialIndex("activity_unread", sql`read_date IS NULL`, table.userId),
    index("activity_item").on(table.itemId),
    index("activity_created").on(table.createdDate),
    partialUniqueIndex("activity_once", sql`once_key IS NOT NULL`, table.onceKey),
  ],
);

/** Bounces, complaints and opt-outs by address; bulk messages skip them. */
export const mailAddress = sqliteTable("mail_address", {
  address: text().primaryKey(),
  bouncedDate: dateColumn(),
  complainedDate: dateColumn(),
  refusedDate: dateColumn(),
});

/** Processed provider reports, by the id that retries repeat. */
export const mailReport = sqliteTable(
  "mail_report",
  { id: text().primaryKey(), createdDate: requiredDate() },
  (table) => [index("mail_report_created").on(table.createdDate)],
);
