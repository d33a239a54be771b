import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { alumniTablesWithoutRowid } from "#db/schema/alumni.ts";
import { dueTablesWithoutRowid } from "#db/schema/alumni-dues.ts";
import { DEED_TABLES } from "#worker/domain/alumni/deed/deed-tables.server.ts";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";
import { PERSON_TABLES } from "#worker/domain/alumni/person-tables.server.ts";
import { runInDatabase, writingStatements } from "./isolate-database.ts";

type Row = Record<string, SqlStorageValue>;
export type ListedRows = ReadonlyMap<string, ReadonlyMap<string, Row>>;

interface ListedTable {
  name: string;
  /** Columns that hold a person. */
  people: readonly string[];
  key: readonly string[];
  columns: readonly { name: string; isRequired: boolean; type: string }[];
  /** Sums, copies and versions. */
  derived: readonly string[];
  /** Rows are written by triggers alone. */
  isDerived: boolean;
}

const MODULES = import.meta.glob<Record<string, unknown>>("/db/schema/*.ts", { eager: true });
const TABLES = Object.values(MODULES).flatMap((each) => Object.values(each).filter((value) => is(value, SQLiteTable)));
const written = new Set<SQLiteTable>([...alumniTablesWithoutRowid, ...dueTablesWithoutRowid]);

function listedTable(table: SQLiteTable): ListedTable {
  const name = getTableName(table);
  const { columns, primaryKeys } = getTableConfig(table);
  const nameOf = (column: { name: string; keyAsName: boolean }) =>
    column.keyAsName ? columnOf(column.name) : column.name;
  const deed = Object.values(DEED_TABLES).find((each) => each.name === name);
  return {
    name,
    people: PERSON_TABLES.find((each) => each.table === table)?.columns ?? [],
    key: [...primaryKeys.flatMap((each) => each.columns), ...columns.filter(({ primary }) => primary)].map(nameOf),
    columns: columns.map((column) => ({
      name: nameOf(column),
      isRequired: column.notNull && !column.hasDefault,
      type: column.dataType,
    })),
    derived: [...(deed?.derived ?? []), "version", "modified_date"],
    isDerived: written.has(table),
  };
}

/** Every table of the two lists that deeds, merges and destruction walk. */
export const LISTED: readonly ListedTable[] = TABLES.filter(
  (table) =>
    PERSON_TABLES.some((each) => each.table === table) ||
    Object.values(DEED_TABLES).some(({ name }) => name === getTableName(table)),
).map(listedTable);

const KEPT_BY_UNDO = { alumni_before: "import_id", deed_row: "deed_id", alumni_merge: "id" } as const;

const undoKeyOf = (table: string) => KEPT_BY_UNDO[table as keyof typeof KEPT_BY_UNDO] as string | undefined;

/** @param start leaves out what deeds since then store for their undo */
export const readListed = (start?: ListedRows): Promise<ListedRows> =>
  runInDatabase(({ sql }) => {
    const rowsOf = ({ name, key }: ListedTable) =>
      new Map([...sql.exec(`SELECT * FROM ${name}`)].map((row) => [key.map((column) => row[column]).join(" "), row]));
    const isOlder = (table: string, row: Row) => {
      const key = undoKeyOf(table);
      return !key || !start || [...(start.get(table)?.values() ?? [])].some((each) => each[key] === row[key]);
    };
    return new Map(
      LISTED.map((table) => [table.name, new Map([...rowsOf(table)].filter(([, row]) => isOlder(table.name, row)))]),
    );
  });

/** A value of a column's type. */
export const SAMPLES: Record<string, (text: string) => SqlStorageValue> = {
  number: () => 1,
  date: () => 1,
  boolean: () => 0,
  json: () => "{}",
  string: (text) => text,
};

/** Gives each person a row of the table; another column of a person names the next one. */
export const addRows = (table: ListedTable, people: readonly string[]) =>
  runInDatabase(({ sql }) => {
    if (table.isDerived || table.people.length === 0 || table.name === "alumni") return;
    for (const [at, person] of people.entries()) {
      const ofPeople = new Map(table.people.map((column, nth) => [column, people[(at + nth) % people.length] ?? ""]));
      const values = table.columns.flatMap(({ name, isRequired, type }): [string, SqlStorageValue][] => {
        const held = ofPeople.get(name) ?? (isRequired ? SAMPLES[type]?.(`${table.name} ${person}`) : undefined);
        return held === undefined ? [] : [[name, held]];
      });
      const names = values.map(([name]) => `"${name}"`).join();
      writingStatements.add(`INSERT INTO ${table.name}`);
      sql.exec(
        `INSERT INTO ${table.name} (${names}) VALUES (${values.map(() => "?").join()})`,
        ...values.map(([, value]) => value),
      );
    }
  });

export interface Difference {
  table: string;
  key: string;
  rows: Row[];
  /** Values that differ, as they should be and as they are. */
  values: [column: string, expected: unknown, found: unknown][];
}

/** @param isDated compares the days of changes, too */
export function differencesOf(expected: ListedRows, found: ListedRows, isDated: boolean): Difference[] {
  return LISTED.flatMap(({ name, columns, derived }) => {
    const ignored = derived.filter((column) => !(isDated && name === "alumni" && column === "modified_date"));
    const [should, are] = [expected.get(name), found.get(name)];
    return [...new Set([...(should?.keys() ?? []), ...(are?.keys() ?? [])])].flatMap((key) => {
      const [one, other] = [should?.get(key), are?.get(key)];
      const values = columns
        .filter((column) => !ignored.includes(column.name) && one?.[column.name] !== other?.[column.name])
        .map((column) => [column.name, one?.[column.name], other?.[column.name]] as Difference["values"][number]);
      return values.length === 0 ? [] : [{ table: name, key, rows: [one, other].filter((row) => !!row), values }];
    });
  });
}

/** People and deposits to which a row belongs, by one of the states. */
export function ownersOf({ table, key, ...found }: Difference, states: readonly ListedRows[]): string[] {
  const people = LISTED.find(({ name }) => name === table)?.people ?? [];
  const rows = [...found.rows, ...states.flatMap((state) => [state.get(table)?.get(key)].filter((row) => !!row))];
  const duesOf = (where: (row: Row) => boolean) =>
    states.flatMap((state) =>
      [...(state.get("due_allocation")?.values() ?? [])].filter(where).map((row) => row.due_id),
    );
  const payersOf = (dues: readonly unknown[]) =>
    states.flatMap((state) => dues.map((id) => state.get("due")?.get(String(id))?.alumni_id));
  const held = rows.flatMap((row) => people.map((column) => row[column]));
  if (table === "alumni") held.push(key);
  if (table === "due_standing") held.push(...standingOwners(rows, states));
  if (table === "deposit") held.push(key, ...payersOf(duesOf((row) => row.deposit_id === key)));
  if (table === "due_allocation")
    held.push(...rows.map((row) => row.deposit_id ?? null), ...payersOf(rows.map((row) => row.due_id)));
  return held.filter((id) => typeof id === "string");
}

/** Triggers write it from dues: who has these in another state, and the deposits that pay them. */
function standingOwners(rows: readonly Row[], states: readonly ListedRows[]) {
  const people = new Set(rows.map((row) => row.alumni_id));
  const dues = states.flatMap((state) => [...(state.get("due") ?? [])]);
  const ids = new Set(dues.flatMap(([id, row]) => (people.has(row.alumni_id ?? null) ? [id] : [])));
  const paying = states.flatMap((state) => [...(state.get("due_allocation")?.values() ?? [])]);
  return [
    ...dues.flatMap(([id, row]) => (ids.has(id) ? [row.alumni_id ?? null] : [])),
    ...paying.flatMap((row) => (ids.has(String(row.due_id)) ? [row.deposit_id ?? null] : [])),
  ];
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + Number(amount), 0);

/** Dues and deposits whose sums are not those of their allocations, or beyond a deposit; unpaid dues of nobody. */
export function wrongSums(rows: ListedRows): string[] {
  const allocations = [...(rows.get("due_allocation")?.values() ?? [])];
  const dues = [...(rows.get("due") ?? [])].filter(
    ([id, { paid, alumni_id: person }]) =>
      paid !== sumOf(allocations.filter(({ due_id: of }) => of === id)) ||
      (paid === 0 && !rows.get("alumni")?.has(String(person))),
  );
  const deposits = [...(rows.get("deposit") ?? [])].filter(([id, { allocated, amount }]) => {
    const used = sumOf(allocations.filter(({ deposit_id: of }) => of === id));
    return allocated !== used || used > Number(amount);
  });
  return [...dues, ...deposits].map(([id]) => id);
}

export interface Edit {
  table: string;
  key: string;
  column: string;
  value: SqlStorageValue;
}

interface EditSearch {
  start: ListedRows;
  after: ListedRows;
  /** Their rows come first. */
  person: string;
  /** Takes a row of the person to somebody else, if anybody. */
  other: string | null;
}

/** The table that people edit, for one that triggers write. */
const WRITTEN_FROM: Record<string, string> = { alumni_value: "alumni", due_standing: "due" };

/** Columns that triggers or the program copy from others. */
const COPIED: Record<string, readonly string[]> = {
  alumni: ["initials", "search_all", "search_open"],
  due: ["name", "cohort", "is_listed"],
};

/** An edit of a column that the deed wrote, or left, in a row of the table; rows that the deed changed come first. */
export function findEdit(listed: string, isSame: boolean, { start, after, person, other }: EditSearch): Edit | null {
  const name = WRITTEN_FROM[listed] ?? listed;
  const table = LISTED.find((each) => each.name === name);
  if (!table || table.isDerived) throw new Error(`${listed} has no table that people edit`);
  const copied = COPIED[table.name] ?? [];
  const shown = (column: string) => !table.derived.includes(column) && !copied.includes(column);
  const isEditable = (column: string) =>
    shown(column) &&
    !table.key.includes(column) &&
    ((table.people.includes(column) && other !== null) || !/_id$|^id$|_date$/.test(column));
  const rows = [...(after.get(name) ?? [])].map(([key, row]) => {
    const before = start.get(name)?.get(key);
    const changed = table.columns.filter((column) => before && before[column.name] !== row[column.name]);
    const wrote = changed.map((column) => column.name).filter(isEditable);
    const left = table.columns.map((column) => column.name).filter((c) => isEditable(c) && !wrote.includes(c));
    const isTheirs = key === person || table.people.some((column) => row[column] === person);
    return { key, row, wrote, left, rank: (wrote.length > 0 ? 4 : before ? 0 : 2) + (isTheirs ? 1 : 0) };
  });
  for (const { key, row, wrote, left } of rows.toSorted((one, another) => another.rank - one.rank)) {
    const column = isSame ? (wrote[0] ?? left[0]) : left.findLast((each) => !table.people.includes(each));
    if (column === undefined) continue;
    const value = table.people.includes(column) ? other : otherValue(row[column] ?? null);
    return { table: name, key, column, value };
  }
  return null;
}

function otherValue(value: SqlStorageValue): SqlStorageValue {
  if (typeof value === "number") return value > 1 ? value - 1 : 1 - value;
  if (value === "[]") return '["phone"]';
  if (value === "{}") return '{"own2":"수정"}';
  return `${typeof value === "string" ? value : ""}수정`;
}

/** Writes the value where the row is still there. */
export const writeEdit = ({ table, key, column, value }: Edit) =>
  runInDatabase(({ sql }) => {
    const names = LISTED.find(({ name }) => name === table)?.key ?? [];
    const where = names.map((name) => `CAST(${name} AS TEXT)`).join(" || ' ' || ");
    writingStatements.add(`UPDATE ${table}`);
    sql.exec(`UPDATE OR IGNORE ${table} SET "${column}" = ? WHERE ${where} = ?`, value, key);
    sql.exec(`UPDATE due SET paid = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id)
      WHERE paid <> (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id)`);
    sql.exec(`UPDATE deposit SET allocated = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id)
      WHERE allocated <> (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id)`);
  });
