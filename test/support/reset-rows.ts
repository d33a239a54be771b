import { runInDatabase } from "./isolate-database.ts";

interface Start {
  /** Changes when a test creates or drops anything. */
  schema: string;
  tables: string[];
  /** Full-text indexes, whose own tables nobody writes to. */
  indexes: string[];
  rows: Map<string, { columns: string[]; values: SqlStorageValue[][] }>;
  /** Triggers that keep append-only tables. */
  guards: { name: string; sql: string }[];
}

let start: Start | undefined;

const SCHEMA_SQL = "SELECT count(*) || ' ' || coalesce(sum(length(sql)), 0) AS text FROM sqlite_master";
const readSchema = (sql: SqlStorage) => sql.exec<{ text: string }>(SCHEMA_SQL).one().text;
const quoted = (name: string) => `"${name}"`;

/** Keeps the rows that a migrated and seeded database begins with. */
export async function keepStart(): Promise<void> {
  start = await runInDatabase(({ sql }) => {
    const parts = [
      ...sql.exec<{ name: string; type: string; sql: string | null }>("SELECT name, type, sql FROM sqlite_master"),
    ];
    const virtual = parts.filter((part) => part.sql?.startsWith("CREATE VIRTUAL")).map(({ name }) => name);
    const tables = parts
      .filter(({ type, name }) => type === "table" && !/^(?:_cf|sqlite_)/.test(name))
      .map(({ name }) => name)
      .filter((name) => !virtual.some((index) => name === index || name.startsWith(`${index}_`)));
    const indexes = parts.filter((part) => part.sql?.includes("USING fts5(")).map(({ name }) => name);
    const rows: Start["rows"] = new Map();
    for (const name of tables) {
      const cursor = sql.exec(`SELECT * FROM ${quoted(name)}`);
      const columns = cursor.columnNames;
      const values = [...cursor.raw()];
      if (values.length > 0) rows.set(name, { columns, values });
    }
    const guards = parts.flatMap(({ type, name, sql: text }) =>
      type === "trigger" && text && /BEFORE DELETE/.test(text) && /RAISE/.test(text) ? [{ name, sql: text }] : [],
    );
    return { schema: readSchema(sql), tables, indexes, rows, guards };
  });
}

export const forgetStart = (): void => {
  start = undefined;
};

function writeRows(sql: SqlStorage, name: string, { rows }: Start): void {
  const stored = rows.get(name);
  if (!stored) return;
  const columns = stored.columns.map(quoted).join();
  const insert = `INSERT OR REPLACE INTO ${quoted(name)} (${columns}) VALUES (${stored.columns.map(() => "?").join()})`;
  for (const row of stored.values) sql.exec(insert, ...row);
}

const readTable = (sql: SqlStorage, name: string) =>
  JSON.stringify([...sql.exec(`SELECT * FROM ${quoted(name)}`).raw()]);

/** Turns that foreign keys and triggers may take. */
const TURNS_MAX = 4;

/** Deletes and writes until every table has the start's rows: the triggers of one table write to others. */
function writeStart(sql: SqlStorage, kept: Start): void {
  const differing = () =>
    kept.tables.filter((name) => readTable(sql, name) !== JSON.stringify(kept.rows.get(name)?.values ?? []));
  for (let turn = 0, left = differing(); left.length > 0; turn += 1, left = differing()) {
    if (turn === TURNS_MAX) throw new Error(`not as at the start: ${left.join()}`);
    for (const name of left) sql.exec(`DELETE FROM ${quoted(name)}`);
    for (const name of left) writeRows(sql, name, kept);
  }
}

/** Puts the start's rows back. @returns false where only a reset of the storage helps: another schema, no start */
export async function resetRows(): Promise<boolean> {
  const kept = start;
  if (!kept) return false;
  return runInDatabase((storage) =>
    storage.transactionSync(() => {
      const { sql } = storage;
      if (readSchema(sql) !== kept.schema) return false;
      sql.exec("PRAGMA defer_foreign_keys = ON");
      for (const { name } of kept.guards) sql.exec(`DROP TRIGGER ${quoted(name)}`);
      writeStart(sql, kept);
      for (const index of kept.indexes) sql.exec(`INSERT INTO ${index}(${index}) VALUES ('delete-all')`);
      sql.exec("DELETE FROM sqlite_sequence");
      for (const { sql: text } of kept.guards) sql.exec(text);
      return true;
    }),
  );
}
