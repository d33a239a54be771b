import { eq, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

type Id = string | number;
type NumberColumn = AnySQLiteColumn<{ data: number }>;

/**
 * `column IN (ids)` with one parameter: D1 binds at most 100, of 2,000,000 bytes each. An empty list matches nothing.
 */
export const idsIn = (column: AnySQLiteColumn | SQL, ids: readonly Id[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

export const columnsOf = <Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: Name[]
): Pick<Table["_"]["columns"], Name> => {
  const columns = getTableColumns(table);
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Table["_"]["columns"], Name>;
};

/** Index of `column` in `ids`, from 0; NULL when absent. */
export const positionIn = (column: AnySQLiteColumn, ids: readonly Id[]): SQL<number | null> =>
  // Nested, so that a single-table select keeps the column's table: json_each also has `id` and `key`.
  sql`(SELECT key FROM json_each(${JSON.stringify(ids)}) WHERE value = ${sql`${column}`})`;

const BEHIND_THE_NAMED = 1000;

/** `sortOrder` by position in `keys`; unnamed rows follow in their old order. */
export const inOrder = (table: SQLiteTable & { sortOrder: NumberColumn }, keys: readonly Id[]): SQL<number> =>
  sql`coalesce(${positionIn(keyOf(table), keys)} + 1, ${table.sortOrder} + ${BEHIND_THE_NAMED})`;

/**
 * Optimistic lock: true while the row has this version; 0 means no row. Later in the batch use `version + 1`. Needs a
 * single-column key.
 */
export const unchanged = (table: SQLiteTable & { version: NumberColumn }, key: Id, version: number): SQL<number> =>
  sql`coalesce((SELECT ${table.version} FROM ${table} WHERE ${eq(keyOf(table), key)}), 0) = ${version}`;

function keyOf(table: SQLiteTable): AnySQLiteColumn {
  const key = Object.values(getTableColumns(table)).find((column) => column.primary);
  if (!key) throw new TypeError(`${getTableName(table)} has no key of one column`);
  return key;
}
