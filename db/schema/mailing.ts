import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DuesFilter } from "#worker/contract/alumni/list.ts";
import type { ConfirmationKind } from "#worker/contract/alumni/confirmation-rules.ts";
import type { MailingQuestion } from "#worker/contract/mailing/question.ts";
import type { RoundStatus } from "#worker/contract/mailing/round.ts";
import type { MailingCause, MailingSource, MailingStatus, RecipientState } from "#worker/contract/mailing/mailing.ts";
import type { MailKind, MessageChannel } from "#worker/contract/mail/mail.ts";
import {
  dateColumn,
  flagColumn,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  textColumn,
  versionColumn,
} from "../columns.ts";

export const mailing = sqliteTable(
  "mailing",
  {
    id: text().primaryKey(),
    source: text().$type<MailingSource>().notNull(),
    target: text({ mode: "json" }).$type<MailingTarget>().notNull(),
    kind: text().$type<MailKind>().notNull(),
    channel: text().$type<MessageChannel>().notNull().default("email"),
    subject: textColumn(),
    body: textColumn(),
    /** Files of board items, sent as links that keep the item's access check. */
    fileIds: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** One mail a person at a shared address; otherwise only the first person gets it. */
    isEach: flagColumn(),
    /** Also mails people whose merge field is empty. */
    keepsEmpty: flagColumn(),
    status: text().$type<MailingStatus>().notNull(),
    reason: textColumn(),
    sendDate: dateColumn(),
    createdUserId: text().notNull(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    doneDate: dateColumn(),
    version: versionColumn(),
    /** Confirmation round it belongs to; each recipient gets a personal link. */
    roundId: text(),
    /** 0 is the request, 1 and 2 are reminders. */
    wave: integer().notNull().default(0),
    /** Approved Kakao template of the text, and its variables that are not fields. */
    templateCode: textColumn(),
    templateValues: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    people: integer().notNull().default(0),
    /** File that every mail carries; another than the links of `fileIds`. */
    attachmentId: text(),
    /** Each recipient gets a personal link for each answer. */
    question: text({ mode: "json" }).$type<MailingQuestion>(),
    /** The last moment for an answer; null for no end. */
    answerUntil: dateColumn(),
    /** Mailing whose question this one repeats to those without an answer. */
    questionId: text(),
  },
  (table) => [
    partialIndex("mailing_round", sql`round_id IS NOT NULL`, table.roundId, table.wave),
    index("mailing_created").on(table.createdDate),
    partialIndex("mailing_sending", sql`status = 'sending'`, table.sendDate),
  ],
);

/** People of an event by their registration. */
export interface RegisteredPeople {
  itemId: number;
  statuses: string[];
  /** With an open fee. */
  isUnpaid: boolean;
  words: string;
}

/**
 * `dues`: the condition that recipients must still fulfil; `asked`: conditions that the officer must still be able to
 * use; `unansweredOf`: people of a round without an answer; `unansweredTo`: people of a mailing's question without one;
 * `registered`: the registration that recipients must still have.
 */
export type MailingTarget =
  | {
      ids: string[];
      dues?: DuesFilter | undefined;
      asked?: Record<string, unknown> | undefined;
      registered?: RegisteredPeople | undefined;
    }
  | { registered: RegisteredPeople }
  | { filter: Record<string, unknown>; except?: string[] }
  | { unansweredOf: string; dues?: DuesFilter | undefined }
  | {
      unansweredTo: string;
      dues?: DuesFilter | undefined;
      asked?: Record<string, unknown> | undefined;
      registered?: RegisteredPeople | undefined;
    };

export const mailingRecipient = sqliteTable(
  "mailing_recipient",
  {
    mailingId: text().notNull(),
    personId: text().notNull(),
    /** As previewed: a person whose address has changed since is skipped. */
    address: text().notNull(),
    state: text().$type<RecipientState>().notNull(),
    cause: textColumn().$type<MailingCause>(),
    /** Address in one-per-address mode: the unique index stops a second recipient. */
    onceAddress: text(),
    stateDate: requiredDate(),
    /** SHA-256 of the link token; the token itself is only in the mail. */
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

export const confirmationRound = sqliteTable(
  "confirmation_round",
  {
    id: text().primaryKey(),
    target: text({ mode: "json" }).$type<MailingTarget>().notNull(),
    status: text().$type<RoundStatus>().notNull(),
    reason: textColumn(),
    reminderDays: integer().notNull(),
    waves: integer().notNull().default(0),
    startDate: dateColumn(),
    nextDate: dateColumn(),
    endDate: dateColumn(),
    /** When the same filter is asked again; null for once. */
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

/** One answer a person to the question of a mailing, which may change until it ends. */
export const mailingAnswer = sqliteTable(
  "mailing_answer",
  {
    mailingId: text().notNull(),
    personId: text().notNull(),
    /** The place among the question's answers, from 1. */
    answer: integer().notNull(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.personId] }),
    index("mailing_answer_person").on(table.personId),
  ],
);
