import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  type AllocationCause,
  type DepositSource,
  DUE_STATE_SQL,
  FEE_PERIOD,
  type DueState,
  type DueWorkKind,
  type ListedState,
  type StoredDoubt,
} from "#worker/contract/alumni/dues/dues.ts";
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

/** The debt of a person for a period, or of a registration for its event's fee, whose payer may be the registration. The state is derived: 면제, 완납, 일부, 미납. */
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
    /** Copied from the person by triggers; empty once destroyed. */
    name: textColumn(),
    cohort: integer(),
    isListed: flagColumn(),
    workId: requiredText(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("due_person").on(table.alumniId, table.period, table.kindId),
    index("due_listed").on(table.period, table.name, table.alumniId, table.kindId),
    index("due_of_work").on(table.workId),
  ],
);

/** A row of the bank's file, below zero for a withdrawal, or a payment that the office recorded by hand. */
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
    /** Why the office is asked, until it decides. */
    doubt: text().$type<StoredDoubt>().notNull().default(""),
    /** The withdrawal that returns it, or the deposit that may be the same; either may be gone. */
    relatedId: textColumn(),
    workId: requiredText(),
    createdDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("deposit_hash").on(table.hash),
    index("deposit_paid").on(table.paidDate, table.id),
    partialIndex("deposit_open", sql`is_closed = 0 AND allocated < amount`, table.paidDate, table.id),
    partialIndex("deposit_doubt", sql`doubt <> ''`, table.paidDate, table.id),
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

/** A person of a list that the office fixed, as a work that is undone like others. */
export const dueListPerson = sqliteTable(
  "due_list_person",
  { workId: requiredText(), alumniId: requiredText(), state: text().$type<ListedState>().notNull() },
  (table) => [
    primaryKey({ columns: [table.workId, table.alumniId] }),
    index("due_list_person_lists").on(table.alumniId),
  ],
);

// Kept by triggers, so that no figure, filter or count reads every due.

export const dueSum = sqliteTable(
  "due_sum",
  {
    period: text().notNull(),
    kindId: text().notNull(),
    /** Empty without one. */
    cohort: text().notNull(),
    state: text().$type<DueState>().notNull(),
    dues: integer().notNull(),
    amount: integer().notNull(),
    paid: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.period, table.kindId, table.cohort, table.state] })],
);

/** By period and by year; the empty period holds the number of open years. */
export const dueStanding = sqliteTable(
  "due_standing",
  { alumniId: text().notNull(), period: text().notNull(), state: text().notNull() },
  (table) => [primaryKey({ columns: [table.alumniId, table.period] })],
);

export const duePeople = sqliteTable(
  "due_people",
  { period: text().notNull(), state: text().notNull(), people: integer().notNull() },
  (table) => [primaryKey({ columns: [table.period, table.state] })],
);

export const dueTablesWithoutRowid = [dueSum, dueStanding, duePeople];

type Row = "OLD" | "NEW";

const sum = (row: Row, by: 1 | -1) =>
  `INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (${row}.period, ${row}.kind_id, coalesce(${row}.cohort, ''), ${DUE_STATE_SQL(row)}, ${by}, ${by} * ${row}.amount, ${by} * ${row}.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;`;
const LEAVE_SUM =
  "DELETE FROM due_sum WHERE period = OLD.period AND kind_id = OLD.kind_id AND cohort = coalesce(OLD.cohort, '') AND dues = 0;";

const IS_OPEN = "(NOT is_exempt AND paid < amount)";
/** A fee counts for its own period alone, so that nobody lacks a year's dues for it. */
const COUNTS = `(period = k.value OR instr(period, '${FEE_PERIOD}') = 0)`;
const stand = (row: Row) =>
  `INSERT INTO due_standing (alumni_id, period, state)
    SELECT ${row}.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif(${IS_OPEN}, substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max(${IS_OPEN}) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = ${row}.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', '') AND ${COUNTS})
    FROM json_each(json_array('', substr(${row}.period, 1, 4), ${row}.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = ${row}.alumni_id AND state = '';`;

const count = (row: Row, by: 1 | -1) =>
  `INSERT INTO due_people (period, state, people) SELECT ${row}.period, ${row}.state, ${by} WHERE ${row}.state <> ''
    ON CONFLICT DO UPDATE SET people = people + excluded.people;`;

const copy = (condition: string) =>
  `UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE ${condition};`;

const trigger = (name: string, event: string, ...steps: string[]) =>
  `CREATE TRIGGER due_${name} AFTER ${event} BEGIN\n  ${steps.join("\n  ")}\nEND`;

export const dueTriggers = [
  trigger("summed_new", "INSERT ON due", sum("NEW", 1), stand("NEW"), copy("id = NEW.id AND NEW.name = ''")),
  trigger(
    "summed_changed",
    "UPDATE OF alumni_id, period, kind_id, cohort, amount, paid, is_exempt, is_listed ON due",
    sum("OLD", -1),
    sum("NEW", 1),
    LEAVE_SUM,
    stand("OLD"),
    stand("NEW"),
  ),
  trigger("summed_gone", "DELETE ON due", sum("OLD", -1), LEAVE_SUM, stand("OLD")),
  trigger("moved", "UPDATE OF alumni_id ON due", copy("id = NEW.id")),
  trigger("person_new", "INSERT ON alumni", copy("alumni_id = NEW.id AND name = ''")),
  trigger(
    "person_changed",
    "UPDATE OF name, cohort, deleted_date ON alumni WHEN (OLD.name, OLD.cohort, OLD.deleted_date) IS NOT (NEW.name, NEW.cohort, NEW.deleted_date)",
    copy("alumni_id = NEW.id"),
  ),
  trigger("person_gone", "DELETE ON alumni", copy("alumni_id = OLD.id")),
  trigger(
    "registration_gone",
    "DELETE ON event_registration",
    "DELETE FROM due WHERE id = OLD.id AND paid = 0;",
    "UPDATE due SET name = '' WHERE id = OLD.id AND alumni_id = OLD.id;",
  ),
  trigger("counted_new", "INSERT ON due_standing", count("NEW", 1)),
  trigger("counted_changed", "UPDATE ON due_standing", count("OLD", -1), count("NEW", 1)),
  trigger("counted_gone", "DELETE ON due_standing", count("OLD", -1)),
  trigger(
    "counted_none",
    "UPDATE ON due_people WHEN NEW.people = 0",
    "DELETE FROM due_people WHERE period = NEW.period AND state = NEW.state;",
  ),
];
