import { eq, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

type Id = string | number;
type NumberColumn = AnySQLiteColumn<{ data: number }>;

/**
 * `column IN (ids)` with all ids in one bound parameter: D1 binds at most 100 of them, of 2,000,000 bytes each
 * (some 50,000 UUIDs). No row fits an empty list. For the opposite: drizzle's `not`.
 */
export const idsIn = (column: AnySQLiteColumn | SQL, ids: readonly Id[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** These columns of a table, each under its own name: what a select of some of them takes. */
export const columnsOf = <Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: Name[]
): Pick<Table["_"]["columns"], Name> => {
  const columns = getTableColumns(table);
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Table["_"]["columns"], Name>;
};

/** Where the value of `column` stands in `ids`, from 0; NULL where it is not among them. */
export const positionIn = (column: AnySQLiteColumn, ids: readonly Id[]): SQL<number | null> =>
  // Nested, or a select of one table would leave out the column's table, and `id` and `key` are columns of json_each.
  sql`(SELECT key FROM json_each(${JSON.stringify(ids)}) WHERE value = ${sql`${column}`})`;

/** Further than any list of ids that a person orders by hand. */
const BEHIND_THE_NAMED = 1000;

/** The `sortOrder` that puts the rows of a table in the order of `keys`; those not named follow in their old order. */
export const inOrder = (table: SQLiteTable & { sortOrder: NumberColumn }, keys: readonly Id[]): SQL<number> =>
  sql`coalesce(${positionIn(keyOf(table), keys)} + 1, ${table.sortOrder} + ${BEHIND_THE_NAMED})`;

/**
 * True while the row is as somebody saw it who read this version, 0 where nothing was stored: the guard of a change that
 * must not be written over another's. Later in the same batch `version + 1` asks whether the change was made.
 * The table's key is one column.
 */
export const unchanged = (table: SQLiteTable & { version: NumberColumn }, key: Id, version: number): SQL<number> =>
  sql`coalesce((SELECT ${table.version} FROM ${table} WHERE ${eq(keyOf(table), key)}), 0) = ${version}`;

function keyOf(table: SQLiteTable): AnySQLiteColumn {
  const key = Object.values(getTableColumns(table)).find((column) => column.primary);
  if (!key) throw new TypeError(`${getTableName(table)} has no key of one column`);
  return key;
}
