import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { MailingCause, MailingSource, MailingStatus, RecipientState } from "#worker/contract/mailing/rules.ts";
import type { MailKind } from "#worker/contract/mail/rules.ts";
import { dateColumn, flagColumn, textColumn, versionColumn } from "../columns.ts";

/** One mail to many people of the address book or of the members. */
export const mailing = sqliteTable(
  "mailing",
  {
    id: text().primaryKey(),
    source: text().$type<MailingSource>().notNull(),
    /** Whom it is for, as it was chosen: the ids of people, or the filter of a list. Emptied once the people are frozen. */
    target: text({ mode: "json" }).$type<MailingTarget>().notNull(),
    kind: text().$type<MailKind>().notNull(),
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
    createdDate: dateColumn().notNull(),
    modifiedDate: dateColumn().notNull(),
    doneDate: dateColumn(),
    version: versionColumn(),
  },
  (table) => [
    index("mailing_created").on(table.createdDate),
    index("mailing_sending")
      .on(table.sendDate)
      .where(sql`status = 'sending'`),
  ],
);

export type MailingTarget = { ids: string[] } | { filter: Record<string, unknown>; except?: string[] };

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
    stateDate: dateColumn().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.personId] }),
    uniqueIndex("mailing_recipient_once")
      .on(table.mailingId, table.onceAddress)
      .where(sql`once_address IS NOT NULL`),
    index("mailing_recipient_state").on(table.mailingId, table.state, table.cause, table.personId),
    index("mailing_recipient_person").on(table.personId),
    index("mailing_recipient_address").on(table.address),
  ],
);
