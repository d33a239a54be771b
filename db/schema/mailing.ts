import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ConfirmationKind } from "#worker/contract/alumni/confirmation-rules.ts";
import type { RoundStatus } from "#worker/contract/mailing/round-rules.ts";
import type { MailingCause, MailingSource, MailingStatus, RecipientState } from "#worker/contract/mailing/rules.ts";
import type { MailKind, MessageChannel } from "#worker/contract/mail/rules.ts";
import { dateColumn, flagColumn, requiredDate, textColumn, versionColumn } from "../columns.ts";
import { partialIndex, partialUniqueIndex } from "../indexes.ts";

/** One mail to many people of the address book or of the members. */
export const mailing = sqliteTable(
  "mailing",
  {
    id: text().primaryKey(),
    source: text().$type<MailingSource>().notNull(),
    /** Whom it is for, as it was chosen: the ids of people, or the filter of a list. Emptied once the people are frozen. */
    target: text({ mode: "json" }).$type<MailingTarget>().notNull(),
    kind: text().$type<MailKind>().notNull(),
    channel: text().$type<MessageChannel>().notNull().default("email"),
    subject: textColumn(),
    body: textColumn(),
    /** Files of board items, which go out as links and keep their items' right. */
    fileIds: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** People who share an address get one each; else the first of them gets it for all. */
    isEach: flagColumn(),
    /** People for whom a field of the text is empty get it all the same. */
    keepsEmpty: flagColumn(),
    status: text().$type<MailingStatus>().notNull(),
    reason: textColumn(),
    /** When it begins to go out. */
    sendDate: dateColumn(),
    createdUserId: text().notNull(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    doneDate: dateColumn(),
    version: versionColumn(),
    /** The round of confirmation that it asks for; its people get a link of their own each. */
    roundId: text(),
    /** 0 asks, 1 and 2 remind. */
    wave: integer().notNull().default(0),
    /** Of a message by Kakao: the approved template that the text was taken from, and its variables that are no fields. */
    templateCode: textColumn(),
    templateValues: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** How many got it or were to, when they were frozen: a list counts no rows of people. */
    people: integer().notNull().default(0),
  },
  (table) => [
    partialIndex("mailing_round", sql`round_id IS NOT NULL`, table.roundId, table.wave),
    index("mailing_created").on(table.createdDate),
    partialIndex("mailing_sending", sql`status = 'sending'`, table.sendDate),
  ],
);

/** `unansweredOf`: of a round, those who were asked and have not answered. */
export type MailingTarget =
  | { ids: string[] }
  | { filter: Record<string, unknown>; except?: string[] }
  | { unansweredOf: string };

/** Each person of a mailing, frozen when it was sent off. */
export const mailingRecipient = sqliteTable(
  "mailing_recipient",
  {
    mailingId: text().notNull(),
    /** An entry of the address book, or an account. */
    personId: text().notNull(),
    /** As it was previewed: whoever has another one by then is not written to. */
    address: text().notNull(),
    state: text().$type<RecipientState>().notNull(),
    /** Why somebody was left out. */
    cause: textColumn().$type<MailingCause>(),
    /** The address, where each gets one mail: the unique index lets no second person through. */
    onceAddress: text(),
    stateDate: requiredDate(),
    /** SHA-256 of the link's token, where the mail carries one. The token itself stands in the mail alone. */
    linkHash: text(),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.personId] }),
    partialUniqueIndex("mailing_recipient_once", sql`once_address IS NOT NULL`, table.mailingId, table.onceAddress),
    index("mailing_recipient_state").on(table.mailingId, table.state, table.cause, table.personId),
    index("mailing_recipient_person").on(table.personId),
    index("mailing_recipient_address").on(table.address),
    partialUniqueIndex("mailing_recipient_link", sql`link_hash IS NOT NULL`, table.linkHash),
  ],
);

/** '이 정보가 맞습니까?', asked of people of the address book: one mailing and two reminders. */
export const confirmationRound = sqliteTable(
  "confirmation_round",
  {
    id: text().primaryKey(),
    /** Of whom, as it was chosen. */
    target: text({ mode: "json" }).$type<MailingTarget>().notNull(),
    status: text().$type<RoundStatus>().notNull(),
    reason: textColumn(),
    /** Days from one mail to the next, and from the last to the end. */
    reminderDays: integer().notNull(),
    /** How many of its mailings were begun. */
    waves: integer().notNull().default(0),
    startDate: dateColumn(),
    /** When it reminds again; null after the second time. */
    nextDate: dateColumn(),
    endDate: dateColumn(),
    /** When the same people, by the filter, are asked anew; null for once. */
    repeatDate: dateColumn(),
    createdUserId: text().notNull(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    index("confirmation_round_created").on(table.createdDate),
    partialIndex("confirmation_round_open", sql`status = 'open'`, table.endDate),
    partialIndex("confirmation_round_repeat", sql`repeat_date IS NOT NULL`, table.repeatDate),
  ],
);

/** Who of a round has answered: the primary key lets each do so once. */
export const confirmationAnswer = sqliteTable(
  "confirmation_answer",
  {
    roundId: text().notNull(),
    personId: text().notNull(),
    kind: text().$type<ConfirmationKind>().notNull(),
    createdDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.roundId, table.personId] }),
    index("confirmation_answer_person").on(table.personId),
  ],
);
