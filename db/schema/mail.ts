import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ActivityKind, MessageChannel } from "#worker/contract/mail/rules.ts";
import type { ActivityDetail } from "#worker/contract/mail/view.ts";
import { dateColumn, flagColumn, requiredDate, requiredText, textColumn } from "../columns.ts";
import { partialIndex, partialUniqueIndex } from "../indexes.ts";

/** Mail, SMS and messages by Kakao, written in the batch of the change they report and sent after it. */
export const message = sqliteTable(
  "message",
  {
    id: text().primaryKey(),
    channel: text().$type<MessageChannel>().notNull(),
    /** The account it is about, so that retirement finds it whatever address it went to. */
    userId: text(),
    recipient: requiredText(),
    subject: requiredText(),
    /** Emptied once a message that carries a code is sent by a real provider. */
    body: requiredText(),
    pincode: text(),
    /** `held`: it may have gone out. It waited when a backup was made that was restored since, or its provider never said. */
    status: text().$type<"queued" | "sent" | "failed" | "held">().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptDate: dateColumn(),
    createdDate: requiredDate(),
    sentDate: dateColumn(),
    /** `item:{id}:{userId}`: the unique index sends each person one message about it. */
    onceKey: text(),
    /** One of many alike, sent a hundred at a time and after the messages that somebody waits for. */
    isBulk: flagColumn(),
    /** Not sent between 21 and 8 o'clock. */
    isAdvertising: flagColumn(),
    /** Signed: turns off the notification or newsletter that sent it, without a sign-in. */
    offToken: text(),
    /** The hundred it was sent with; the provider tells repeated requests by it. */
    batchId: text(),
    /** What the provider calls the message; its reports on delivery name it by that. */
    providerId: text(),
    /** By account, the names that stand in the text beside the reader's; a retirement takes its own out. */
    aboutPeople: text({ mode: "json" }).$type<Record<string, string>>(),
    /** Of a message by Kakao: the approved template with what its variables are filled with. */
    alimtalk: text({ mode: "json" }).$type<{ templateCode: string; variables: Record<string, string> }>(),
    /** The group it waits in at the provider of text messages, which sends each group once. */
    providerGroup: text(),
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

/** A template as the office edited it; without a row the text in the code is used. */
export const mailTemplate = sqliteTable("mail_template", {
  kind: text().primaryKey(),
  subject: requiredText(),
  body: requiredText(),
  version: integer().notNull(),
  modifiedDate: requiredDate(),
});

/**
 * Which notifications a person chose. `item`: new items of the board `target`, only for those who asked for them;
 * `comment`: mail about comments on what they wrote, unless they turned it off; `bell`: what the kind of activity `target` tells.
 */
export const notificationChoice = sqliteTable(
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

/** An item or comment whose notifications are not all written yet; deleted once they are. */
export const pendingNotification = sqliteTable(
  "notice_pending",
  {
    kind: text().$type<"item" | "comment">().notNull(),
    /** The item's or the comment's id. */
    sourceId: requiredText(),
    itemId: integer().notNull(),
    /** The last follower whose message was written; the job continues after them. */
    doneUserId: textColumn(),
    /** A comment waits till then to be told together with others; 0 for one that waits for nothing. */
    dueDate: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.kind, table.sourceId] }), index("notice_pending_item").on(table.itemId)],
);

/**
 * What concerns a person, told inside the site. The words of an item or a comment are not kept here: they are read when it
 * is shown, by the right of that moment.
 */
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
    /** `item:{id}:{userId}`: nobody is told the same twice. */
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

/** What became known of an address or a number: what goes to many does not go where it bounced, or was complained of or turned off. */
export const mailAddress = sqliteTable("mail_address", {
  address: text().primaryKey(),
  bouncedDate: dateColumn(),
  complainedDate: dateColumn(),
  refusedDate: dateColumn(),
});

/** Reports of the provider that were taken in, by the id that it repeats them under. */
export const mailReport = sqliteTable(
  "mail_report",
  { id: text().primaryKey(), createdDate: requiredDate() },
  (table) => [index("mail_report_created").on(table.createdDate)],
);
