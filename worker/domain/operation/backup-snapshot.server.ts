import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import type { DumpedTable } from "#worker/contract/operation/operation.ts";
import { sha256Hex } from "#worker/adapters/backup-cipher.server.ts";

/** Tables of SQLite, D1 and the local runner. */
const FOREIGN = /^(sqlite_|_cf_|d1_|_local_|_restore_)/;
/** D1 refuses any access to its internal tables. */
export const OPEN = "m.name NOT GLOB '_cf*' AND m.name NOT GLOB 'sqlite_*'";
/** Rebuilt by triggers during a restore. */
const DERIVED = [
  "board_item_count",
  "board_item_search",
  "alumni_value",
  "audit_person",
  "alumni_count",
  "alumni_alike",
  "alumni_figure",
  "due_sum",
  "due_standing",
  "due_people",
];
/** Expiring or local data; without sessions everyone is signed out after a restore. */
const PASSING = [
  "session",
  "refresh_token",
  "verification",
  "rate_limit",
  "kept_answer",
  "job",
  "backup_run",
  "backup_before",
  "backup_drill",
  "alarm",
  "age_clock",
  "moving_entry",
  "moving_part",
  "moving_seen",
  "page_stamp",
];
export const NOT_DUMPED: ReadonlySet<string> = new Set([...DERIVED, ...PASSING]);
export const isDumped = (table: string) => !FOREIGN.test(table) && !NOT_DUMPED.has(table);

const TRIGGER_PREFIX = "backup_before_";
const PAGE_ROWS = 2000;
const PAGE_BYTES = 1024 * 1024;

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;
export type Cell = string | number | null;

/** Parents before referring tables. @throws Error for a table without rowid */
async function tablesInOrder(d1: D1Database): Promise<{ name: string; columns: string[] }[]> {
  const [tables, parents, columns] = await d1.batch([
    d1.prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"),
    d1.prepare(
      `SELECT m.name AS name, f."table" AS parent FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' AND ${OPEN} AND f."table" <> m.name`,
    ),
    d1.prepare(
      `SELECT m.name AS name, c.name AS columnName FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' AND ${OPEN} ORDER BY m.name, c.cid`,
    ),
  ]);
  const waiting = (requirePresent(tables).results as { name: string; wr: number }[]).filter(({ name }) =>
    isDumped(name),
  );
  const bare = waiting.find(({ wr }) => wr === 1);
  if (bare) throw new Error(`rowid가 없는 표는 백업할 수 없습니다: ${bare.name}`);
  const names = waiting.map(({ name }) => name);
  const links = requirePresent(parents).results as { name: string; parent: string }[];
  const ordered: string[] = [];
  while (names.length > 0) {
    const index = names.findIndex((name) => links.every((link) => link.name !== name || ordered.includes(link.parent)));
    ordered.push(...names.splice(Math.max(index, 0), 1));
  }
  const all = requirePresent(columns).results as { name: string; columnName: string }[];
  return ordered.map((name) => ({
    name,
    columns: all.filter((column) => column.name === name).map(({ columnName }) => columnName),
  }));
}

export async function readSchema(d1: D1Database): Promise<string[]> {
  // Shadow tables are created with the full-text index.
  const { results } = await d1
    .prepare(
      `SELECT s.name AS name, s.sql AS sql FROM sqlite_master AS s LEFT JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = s.name
       WHERE s.sql IS NOT NULL AND coalesce(t.type, '') <> 'shadow'
       ORDER BY CASE s.type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, s.rowid`,
    )
    .all<{ name: string; sql: string }>();
  return results.filter(({ name }) => !FOREIGN.test(name) && !name.startsWith(TRIGGER_PREFIX)).map(({ sql }) => sql);
}

export const schemaFingerprint = async (d1: D1Database): Promise<string> =>
  sha256Hex((await readSchema(d1)).toSorted().join("\n"));

/**
 * Starts a snapshot with `start` in one transaction. Triggers keep old row versions and new rows get higher rowids, so
 * writes can continue.
 */
export async function openSnapshot(d1: D1Database, start: D1PreparedStatement) {
  const tables = await tablesInOrder(d1);
  const close = await closeStatements(d1);
  const triggers = tables.flatMap(({ name, columns }) =>
    ["UPDATE", "DELETE"].map((act) => d1.prepare(beforeTrigger(name, columns, act))),
  );
  const last = tables.map(({ name }) => `(SELECT max(rowid) FROM ${quoteName(name)})`);
  const results = await d1.batch([
    d1.prepare(`SELECT json_array(${last.join(", ")}) AS last`),
    d1.prepare("SELECT name, seq FROM sqlite_sequence"),
    d1.prepare("SELECT name FROM d1_migrations ORDER BY id"),
    start,
    ...close,
    ...triggers,
  ]);
  const [ends, sequences, migrations] = results;
  const rowIds = JSON.parse(requirePresent((requirePresent(ends).results as { last: string }[])[0]).last) as (
    | number
    | null
  )[];
  const counted = requirePresent(sequences).results as { name: string; seq: number }[];
  return {
    tables: tables.map((table, index) => ({ ...table, lastRowId: rowIds[index] ?? null, rows: 0, bytes: 0 })),
    sequences: Object.fromEntries(
      counted.filter(({ name }) => !FOREIGN.test(name)).map(({ name, seq }) => [name, seq]),
    ),
    migrations: (requirePresent(migrations).results as { name: string }[]).map(({ name }) => name),
  };
}

const triggerName = (table: string, act: string) => quoteName(`${TRIGGER_PREFIX}${act.toLowerCase()}_${table}`);

function beforeTrigger(table: string, columns: string[], act: string): string {
  const values = columns.map((name) => `OLD.${quoteName(name)}`).join(", ");
  const kept = `SELECT 1 FROM backup_before WHERE table_name = ${quoteText(table)} AND row_id = OLD.rowid`;
  return `CREATE TRIGGER ${triggerName(table, act)} BEFORE ${act} ON ${quoteName(table)}
WHEN NOT EXISTS (${kept}) BEGIN
  INSERT INTO backup_before (table_name, row_id, row) VALUES (${quoteText(table)}, OLD.rowid, json_array(${values}));
END`;
}

/** Statements that close the snapshot, even an interrupted one. */
export async function closeStatements(d1: D1Database): Promise<D1PreparedStatement[]> {
  const { results } = await d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?")
    .bind(TRIGGER_PREFIX.length, TRIGGER_PREFIX)
    .all<{ name: string }>();
  return [
    ...results.map(({ name }) => d1.prepare(`DROP TRIGGER IF EXISTS ${quoteName(name)}`)),
    d1.prepare("DELETE FROM backup_before"),
  ];
}

/** Returns about a megabyte of rows after `rowId`, as of the snapshot. */
export async function readSnapshotPage(d1: D1Database, table: DumpedTable, rowId: number) {
  const { name, columns, lastRowId } = table;
  if (lastRowId === null) return { rows: [] as Cell[][], bytes: 0, nextRowId: null };
  const from = quoteName(name);
  const size = columns.map((column) => `coalesce(octet_length(${quoteName(column)}), 0)`).join(" + ");
  const [live, before] = await d1.batch<Record<string, Cell>>([
    d1
      .prepare(
        `SELECT rowid AS _rowid, json_array(${columns.map(quoteName).join(", ")}) AS _row FROM ${from} WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid
         LIMIT (${countThatFits(`SELECT rowid AS r, ${size} AS size FROM ${from} WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid LIMIT ${PAGE_ROWS}`)})`,
      )
      .bind(rowId, lastRowId),
    d1
      .prepare(
        `SELECT row_id AS _rowid, row AS _row FROM backup_before WHERE table_name = ?3 AND row_id > ?1 AND row_id <= ?2 ORDER BY row_id
         LIMIT (${countThatFits(`SELECT row_id AS r, octet_length(row) AS size FROM backup_before WHERE table_name = ?3 AND row_id > ?1 AND row_id <= ?2 ORDER BY row_id LIMIT ${PAGE_ROWS}`)})`,
      )
      .bind(rowId, lastRowId, name),
  ]);
  const liveRows = requirePresent(live).results as unknown as { _rowid: number; _row: string }[];
  const beforeRows = requirePresent(before).results as unknown as { _rowid: number; _row: string }[];
  const reach = (rows: { _rowid: number }[]) => rows.at(-1)?._rowid ?? lastRowId;
  const end = Math.min(reach(liveRows), reach(beforeRows));
  const merged = new Map<number, string>();
  for (const row of [...liveRows, ...beforeRows]) if (row._rowid <= end) merged.set(row._rowid, row._row);
  const rows = [...merged].toSorted(([a], [b]) => a - b).map(([, row]) => JSON.parse(row) as Cell[]);
  return { rows, bytes: rows.reduce((sum, row) => sum + rowBytes(row), 0), nextRowId: end >= lastRowId ? null : end };
}

const countThatFits = (query: string) =>
  `SELECT count(*) FROM (SELECT sum(size) OVER (ORDER BY r ROWS UNBOUNDED PRECEDING) - size AS ahead FROM (${query})) WHERE ahead < ${PAGE_BYTES}`;

const encoder = new TextEncoder();

/** Same count as SQLite's octet_length. */
export const rowBytes = (row: readonly Cell[]): number =>
  row.reduce<number>((sum, value) => sum + (value === null ? 0 : encoder.encode(String(value)).byteLength), 0);

export const tableSumQuery = (name: string, columns: readonly string[]): string =>
  `SELECT count(*) AS count, coalesce(sum(${columns.map((column) => `coalesce(octet_length(${quoteName(column)}), 0)`).join(" + ")}), 0) AS bytes FROM ${quoteName(name)}`;
