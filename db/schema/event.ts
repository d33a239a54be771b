import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ProfileInput } from "#worker/contract/account/rules.ts";
import type { Attendance, EventFee, EventQuestion, RegistrationStatus } from "#worker/contract/event/event.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import {
  dateColumn,
  flagColumn,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";

/** An item of a board whose event takes registrations. */
export const event = sqliteTable("event", {
  itemId: integer().primaryKey(),
  openDate: requiredDate(),
  closeDate: requiredDate(),
  /** A day; empty for the close. */
  cancelUntil: textColumn(),
  /** Null for no limit. */
  places: integer(),
  useWaiting: flagColumn(),
  hidesCounts: flagColumn(),
  /** Empty for every member. */
  roleCodes: text({ mode: "json" }).$type<string[]>().notNull(),
  /** Also people without an account, who confirm their address. */
  takesGuests: flagColumn(),
  confirmation: textColumn(),
  /** For those present; empty for none. */
  certificateKindId: textColumn(),
  attendance: text().$type<Attendance>().notNull().default("entry"),
  questions: text({ mode: "json" }).$type<EventQuestion[]>().notNull(),
  fees: text({ mode: "json" }).$type<EventFee[]>().notNull().default([]),
  /** Days in which a fee is paid; null for no end. */
  feeDays: integer(),
  cancelsUnpaid: flagColumn(),
  /** Days before the first day on which those with a place are reminded; null for no reminder. */
  reminderDays: integer(),
  /** Set once, also if the event is moved afterwards. */
  remindedDate: dateColumn(),
  /** The office's, in the letters about a change that are being written. */
  notice: textColumn(),
  englishNotice: textColumn(),
  /** The times and place that registered people know (`TOLD` in `change.server.ts`). */
  told: textColumn(),
  /** Rises when a question or a fee changes. */
  questionsVersion: versionColumn(),
  createdDate: requiredDate(),
  modifiedDate: requiredDate(),
  version: versionColumn(),
});

/** A cancelled one stays; the person may register again. */
export const eventRegistration = sqliteTable(
  "event_registration",
  {
    id: text().primaryKey(),
    itemId: integer().notNull(),
    /** An account, or a mark of a guest's address at this event. */
    userId: requiredText(),
    /** Empty for a member. */
    guestName: textColumn(),
    guestEmail: textColumn(),
    /** Of a guest's letters; a member's is that of the account. */
    language: text().$type<Language>().notNull().default("ko"),
    status: text().$type<RegistrationStatus>().notNull(),
    /** The order of arrival at the event, from 1. */
    turn: integer().notNull(),
    answers: text({ mode: "json" }).$type<ProfileInput>().notNull(),
    feeCode: textColumn(),
    /** Won, as it was when it was chosen; what is owed and paid of it is the due of the same id. */
    fee: integer().notNull().default(0),
    feeRemindedDate: dateColumn(),
    /** Those that the job has yet to write, in their order, with blanks between. */
    letter: textColumn(),
    /** The office's. */
    reason: textColumn(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    attendedDate: dateColumn(),
    /** The last time. */
    leftDate: dateColumn(),
    /** Of attendance, once it is issued. */
    certificateId: textColumn(),
    version: versionColumn(),
  },
  (table) => [
    partialUniqueIndex("event_registration_once", sql`status <> 'cancelled'`, table.itemId, table.userId),
    uniqueIndex("event_registration_turn").on(table.itemId, table.turn),
    index("event_registration_queue").on(table.itemId, table.status, table.turn),
    partialIndex("event_registration_letter", sql`letter <> ''`, table.itemId, table.turn),
    index("event_registration_user").on(table.userId, table.createdDate),
  ],
);
