import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { alumniCertificate, alumniConfirmation, alumniCorrection } from "#db/schema/alumni.ts";
import { deposit, due, dueAllocation, dueListPerson, duePayer } from "#db/schema/alumni-dues.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { columnOf } from "../own-value.server.ts";

export interface DeedTable {
  name: string;
  key: readonly string[];
  /** Columns that are stored; all those that a deed may change. */
  columns: readonly string[];
  /** Sums, copies and versions, which an undo neither compares nor writes. */
  derived: readonly string[];
  /** The person of the row `t`, or null. */
  person: string;
}

const columnsIn = (table: SQLiteTable) => Object.keys(getTableColumns(table)).map(columnOf);

const deedTable = (
  table: SQLiteTable,
  { key = ["id"], columns = columnsIn(table), derived = [], person = "t.alumni_id" }: Partial<DeedTable> = {},
): DeedTable => ({ name: getTableName(table), key, columns, derived, person });

/** Other tables whose rows a deed adds, changes or deletes. */
export const DEED_TABLES = {
  // Triggers copy the rest from the person.
  due: deedTable(due, {
    columns: columnsIn(due).filter((name) => !["name", "cohort", "is_listed"].includes(name)),
    derived: ["paid", "modified_date", "version"],
  }),
  deposit: deedTable(deposit, { derived: ["allocated", "version"], person: "NULL" }),
  allocation: deedTable(dueAllocation, { person: "(SELECT alumni_id FROM due WHERE due.id = t.due_id)" }),
  payer: deedTable(duePayer, { key: ["payer", "alumni_id"], derived: ["used_date"] }),
  listed: deedTable(dueListPerson, { key: ["work_id", "alumni_id"] }),
  certificate: deedTable(alumniCertificate, { columns: ["id", "alumni_id"] }),
  correction: deedTable(alumniCorrection, { columns: ["id", "alumni_id"] }),
  confirmation: deedTable(alumniConfirmation, { key: ["alumni_id"] }),
};

export type DeedTableName = keyof typeof DEED_TABLES;

export const DEED_TABLE_NAMES = Object.keys(DEED_TABLES) as DeedTableName[];

const listSql = (parts: readonly string[]) => sql.raw(parts.join(", "));

/** The row `t` as JSON. */
export const rowJson = ({ columns }: DeedTable) =>
  sql`json_object(${listSql(columns.flatMap((name) => [`'${name}'`, `t.${name}`]))})`;

export const rowKeyJson = ({ key }: DeedTable) => sql`json_array(${listSql(key.map((name) => `t.${name}`))})`;

/** @param row a JSON array of the key's values */
export const hasRowKey = ({ key }: DeedTable, row: SQL) =>
  sql.join(
    key.map((name, at) => sql`t.${sql.raw(name)} = ${row} ->> ${sql.raw(String(at))}`),
    sql` AND `,
  );

/** Reads the keys once, not once a row of the table. @param rows JSON rows whose first value is the key */
export const isAmongKeys = ({ key }: DeedTable, rows: string) => {
  const values = key.map((_, at) => sql`g.value -> 0 ->> ${sql.raw(String(at))}`);
  const own = listSql(key.map((name) => `t.${name}`));
  return sql`(${own}) IN (SELECT ${sql.join(values, sql`, `)} FROM json_each(${rows}) g)`;
};

/** Stores the rows as they are before or after the deed, within its batch. @param which a condition on the table `t` */
export function storeRows(
  ctx: Pick<AppContext, "db">,
  deedId: string,
  name: DeedTableName,
  { when, which }: { when: "before" | "after"; which: SQL },
) {
  const table = DEED_TABLES[name];
  const side = sql.raw(when);
  return ctx.db.run(sql`INSERT INTO deed_row (deed_id, table_name, row_key, alumni_id, ${side})
    SELECT ${deedId}, ${table.name}, ${rowKeyJson(table)}, coalesce(${sql.raw(table.person)}, ''), ${rowJson(table)} FROM ${sql.raw(table.name)} t WHERE ${which}
    ON CONFLICT DO UPDATE SET ${side} = excluded.${side}`);
}

/** Stores the rows that a deed added, at its end. */
export const storeAddedRows = (
  ctx: Pick<AppContext, "db">,
  deedId: string,
  rows: Partial<Record<DeedTableName, SQL>>,
) =>
  (Object.entries(rows) as [DeedTableName, SQL][]).map(([name, which]) =>
    storeRows(ctx, deedId, name, { when: "after", which }),
  );

/** Runs the statements of a deed between two snapshots of the rows that it may change. */
export function storeDeed<Statement>(
  ctx: Pick<AppContext, "db">,
  deedId: string,
  rows: Partial<Record<DeedTableName, SQL>>,
  statements: readonly Statement[],
) {
  const each = Object.entries(rows) as [DeedTableName, SQL][];
  return [
    ...each.map(([name, which]) => storeRows(ctx, deedId, name, { when: "before", which })),
    ...statements,
    ...each.map(([name, which]) => storeRows(ctx, deedId, name, { when: "after", which })),
    ctx.db.run(sql`DELETE FROM deed_row WHERE deed_id = ${deedId} AND before IS after`),
  ];
}
