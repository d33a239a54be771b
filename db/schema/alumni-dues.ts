import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AllocationCause, DepositSource, DueWorkKind } from "#worker/contract/alumni/dues/dues.ts";
import {
  closableColumns,
  dateColumn,
  flagColumn,
  partialIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";

/** Amounts are won, and whole. */
const wonColumn = () => integer().notNull().default(0);

/** Kinds of dues, with amounts by grade. */
export const dueKind = sqliteTable(
  "due_kind",
  {
    id: text().primaryKey(),
    name: requiredText(),
    amount: wonColumn(),
    /** Name of the address book's field that holds the grade, or empty. */
    gradeField: textColumn(),
    /** One line a grade: `정회원 50000`; 0 exempts. */
    grades: text({ mode: "json" }).$type<string[]>().notNull(),
    ...closableColumns(),
  },
  (table) => [index("due_kind_order").on(table.sortOrder)],
);

/** The debt of a person for a period. The state is derived: 면제, 완납, 일부, 미납. */
export const due = sqliteTable(
  "due",
  {
    id: text().primaryKey(),
    alumniId: requiredText(),
    kindId: requiredText(),
    /** `2026`, or `2026-` and a part of the year. */
    period: requiredText(),
    amount: wonColumn(),
    /** Sum of the allocations, written with them. */
    paid: wonColumn(),
    isExempt: flagColumn(),
    reason: textColumn(),
    /** Korean day, or empty. */
    dueDay: textColumn(),
    workId: requiredText(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("due_person").on(table.alumniId, table.period, table.kindId),
    index("due_period").on(table.period, table.kindId, table.alumniId),
    index("due_of_work").on(table.workId),
  ],
);

/** Money received: one row of the bank's file, or a payment that the office recorded by hand. */
export const deposit = sqliteTable(
  "deposit",
  {
    id: text().primaryKey(),
    source: text().$type<DepositSource>().notNull(),
    paidDate: requiredDate(),
    payer: textColumn(),
    amount: wonColumn(),
    balance: integer(),
    /** Of all columns of the row, so that an overlapping file adds nothing. */
    hash: requiredText(),
    /** Sum of the allocations, written with them. */
    allocated: wonColumn(),
    /** The office decided that the rest pays no due. */
    isClosed: flagColumn(),
    note: textColumn(),
    workId: requiredText(),
    createdDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("deposit_hash").on(table.hash),
    index("deposit_paid").on(table.paidDate, table.id),
    partialIndex("deposit_open", sql`is_closed = 0 AND allocated < amount`, table.paidDate, table.id),
    index("deposit_work").on(table.workId),
  ],
);

/** The part of a deposit that pays a due. */
export const dueAllocation = sqliteTable(
  "due_allocation",
  {
    id: text().primaryKey(),
    depositId: requiredText(),
    dueId: requiredText(),
    amount: wonColumn(),
    cause: text().$type<AllocationCause>().notNull(),
    userId: requiredText(),
    createdDate: requiredDate(),
  },
  (table) => [index("due_allocation_due").on(table.dueId), index("due_allocation_deposit").on(table.depositId)],
);

/** The people whom a payer's text paid for, as the office decided. */
export const duePayer = sqliteTable(
  "due_payer",
  {
    /** Hash of the payer's text. */
    payer: requiredText(),
    alumniId: requiredText(),
    usedDate: requiredDate(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.alumniId] }), index("due_payer_person").on(table.alumniId)],
);

/** A year's run, a bank file or a beginning, undone for 30 days. */
export const dueWork = sqliteTable(
  "due_work",
  {
    id: text().primaryKey(),
    kind: text().$type<DueWorkKind>().notNull(),
    name: requiredText(),
    userId: requiredText(),
    /** Dues charged, or deposits stored. */
    added: integer().notNull(),
    /** Allocations made by the program. */
    matched: integer().notNull().default(0),
    createdDate: requiredDate(),
    undoneDate: dateColumn(),
  },
  (table) => [index("due_work_created").on(table.createdDate, table.id)],
);
