import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

const date = () => integer({ mode: "timestamp_ms" });
const flag = () => integer({ mode: "boolean" }).notNull().default(false);

/** Mail and SMS, written with the change they tell of and sent after it. */
export const message = sqliteTable(
  "message",
  {
    id: text().primaryKey(),
    channel: text().$type<"email" | "sms">().notNull(),
    /** Whom it tells of, so that retirement finds it whatever address it went to. */
    userId: text(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Emptied once a message that carries a code is sent by a real provider. */
    body: text().notNull(),
    pincode: text(),
    status: text().$type<"queued" | "sent" | "failed">().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptDate: date(),
    createdDate: date().notNull(),
    sentDate: date(),
    /** `item:{id}:{userId}`: what one person is told once; the index below is what makes it once. */
    onceKey: text(),
    /** One of many alike: these go out a hundred at a time, behind the letters that somebody waits for. */
    isBulk: flag(),
    /** Not between 21 and 8 o'clock. */
    isAdvertising: flag(),
    /** Signed: turns off what brought this letter, without a sign-in. */
    offToken: text(),
    /** The hundred it was sent with, which is what the provider knows them by. */
    batchId: text(),
  },
  (table) => [
    index("message_due_single")
      .on(table.nextAttemptDate)
      .where(sql`status = 'queued' AND is_bulk = 0`),
    index("message_due_bulk")
      .on(table.isAdvertising, table.nextAttemptDate)
      .where(sql`status = 'queued' AND is_bulk = 1`),
    index("message_batch")
      .on(table.batchId)
      .where(sql`status = 'queued' AND batch_id IS NOT NULL`),
    uniqueIndex("message_once")
      .on(table.onceKey)
      .where(sql`once_key IS NOT NULL`),
    index("message_created").on(table.createdDate),
    index("message_status").on(table.status, table.createdDate),
    index("message_recipient").on(table.recipient),
    index("message_user").on(table.userId),
    index("message_pincode")
      .on(table.createdDate)
      .where(sql`pincode IS NOT NULL`),
  ],
);

/**
 * What a person chose to be told by mail. `item`: the new items of the board `target`, told to those who asked for it;
 * `comment`: comments on what he wrote, told unless he turned it off.
 */
export const noticeChoice = sqliteTable(
  "notice_choice",
  {
    kind: text().$type<"item" | "comment">().notNull(),
    target: text().notNull().default(""),
    userId: text().notNull(),
    isOn: integer({ mode: "boolean" }).notNull(),
    createdDate: date().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.target, table.userId] }),
    index("notice_choice_user").on(table.userId),
  ],
);

/** What is still to be told: written with the item or comment, gone when everybody has his letter. */
export const noticePending = sqliteTable(
  "notice_pending",
  {
    kind: text().$type<"item" | "comment">().notNull(),
    /** The item's or the comment's id. */
    sourceId: text().notNull(),
    itemId: integer().notNull(),
    /** The last follower whose letter was written; the job goes on behind him. */
    doneUserId: text().notNull().default(""),
  },
  (table) => [primaryKey({ columns: [table.kind, table.sourceId] }), index("notice_pending_item").on(table.itemId)],
);

/** A letter as the office worded it; without a row the text in the code holds. */
export const mailTemplate = sqliteTable("mail_template", {
  kind: text().primaryKey(),
  subject: text().notNull(),
  body: text().notNull(),
  version: integer().notNull(),
  modifiedDate: date().notNull(),
});
