import { runInDatabase, writingStatements } from "./isolate-database.ts";

/** All rows of the database. */
export interface StoredRows {
  /** Changes when a test creates or drops anything. */
  schema: string;
  tables: string[];
  /** Full-text indexes, whose own tables nobody writes to. */
  indexes: string[];
  rows: Map<string, { columns: string[]; values: SqlStorageValue[][] }>;
  /** Triggers that keep append-only tables. */
  guards: { name: string; sql: string }[];
}

let start: StoredRows | undefined;

const SCHEMA_SQL = "SELECT count(*) || ' ' || coalesce(sum(length(sql)), 0) AS text FROM sqlite_master";
const readSchema = (sql: SqlStorage) => sql.exec<{ text: string }>(SCHEMA_SQL).one().text;
const quoted = (name: string) => `"${name}"`;

const readRowsOf = (sql: SqlStorage, names: readonly string[]) => {
  const rows: StoredRows["rows"] = new Map();
  for (const name of names) {
    const cursor = sql.exec(`SELECT * FROM ${quoted(name)}`);
    const columns = cursor.columnNames;
    const values = [...cursor.raw()];
    if (values.length > 0) rows.set(name, { columns, values });
  }
  return rows;
};

export const readAllRows = (): Promise<StoredRows> =>
  runInDatabase(({ sql }) => {
    const parts = [
      ...sql.exec<{ name: string; type: string; sql: string | null }>("SELECT name, type, sql FROM sqlite_master"),
    ];
    const virtual = parts.filter((part) => part.sql?.startsWith("CREATE VIRTUAL")).map(({ name }) => name);
    const tables = parts
      .filter(({ type, name }) => type === "table" && !/^(?:_cf|sqlite_)/.test(name))
      .map(({ name }) => name)
      .filter((name) => !virtual.some((index) => name === index || name.startsWith(`${index}_`)));
    const indexes = parts.filter((part) => part.sql?.includes("USING fts5(")).map(({ name }) => name);
    const rows = readRowsOf(sql, tables);
    const guards = parts.flatMap(({ type, name, sql: text }) =>
      type === "trigger" && text && /BEFORE DELETE/.test(text) && /RAISE/.test(text) ? [{ name, sql: text }] : [],
    );
    return { schema: readSchema(sql), tables, indexes, rows, guards };
  });

/** Keeps the rows that a migrated and seeded database begins with. */
export async function keepStart(): Promise<void> {
  start = await readAllRows();
}

export const forgetStart = (): void => {
  start = undefined;
};

function writeRows(sql: SqlStorage, name: string, { rows }: StoredRows): void {
  const stored = rows.get(name);
  if (!stored) return;
  const columns = stored.columns.map(quoted).join();
  const insert = `INSERT OR REPLACE INTO ${quoted(name)} (${columns}) VALUES (${stored.columns.map(() => "?").join()})`;
  for (const row of stored.values) sql.exec(insert, ...row);
}

/** @param kept gives the rows of the tables that were not written since */
export const readWrittenRows = (kept: StoredRows): Promise<StoredRows> =>
  runInDatabase(({ sql }) => {
    const written = new Set(writtenTables(sql, kept));
    const others = [...kept.rows].filter(([name]) => !written.has(name));
    return { ...kept, rows: new Map([...others, ...readRowsOf(sql, [...written])]) };
  });

/** The tables that statements name after a word of writing, and those of their triggers. */
function writtenTables(sql: SqlStorage, { tables }: StoredRows): string[] {
  if (found.statements === writingStatements.size) return found.tables;
  const triggers = [...sql.exec<{ on: string; sql: string }>(TRIGGERS_SQL)];
  const written = new Set<string>();
  const add = (text: string) => {
    for (const [, name = ""] of text.matchAll(WRITING)) {
      if (written.has(name)) continue;
      written.add(name);
      for (const each of triggers) if (each.on === name) add(each.sql);
    }
  };
  for (const text of writingStatements) add(text);
  found = { statements: writingStatements.size, tables: tables.filter((name) => written.has(name)) };
  return found.tables;
}

let found = { statements: 0, tables: [] as string[] };

const TRIGGERS_SQL = `SELECT tbl_name AS "on", substr(sql, instr(sql, 'BEGIN')) AS sql FROM sqlite_master WHERE type = 'trigger'`;
const WRITING = /\b(?:INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+["`]?(\w+)/gi;

const readTable = (sql: SqlStorage, name: string) =>
  JSON.stringify([...sql.exec(`SELECT * FROM ${quoted(name)}`).raw()]);

/** Turns that foreign keys and triggers may take. */
const TURNS_MAX = 4;

/** Deletes and writes until every table has the start's rows: the triggers of one table write to others. */
function writeStart(sql: SqlStorage, kept: StoredRows, tables: readonly string[]): void {
  const differing = () =>
    tables.filter((name) => readTable(sql, name) !== JSON.stringify(kept.rows.get(name)?.values ?? []));
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
  const isReset = await runInDatabase((storage) =>
    storage.transactionSync(() => {
      const { sql } = storage;
      if (readSchema(sql) !== kept.schema) return false;
      sql.exec("PRAGMA defer_foreign_keys = ON");
      for (const { name } of kept.guards) sql.exec(`DROP TRIGGER ${quoted(name)}`);
      writeStart(sql, kept, kept.tables);
      for (const index of kept.indexes) sql.exec(`INSERT INTO ${index}(${index}) VALUES ('delete-all')`);
      sql.exec("DELETE FROM sqlite_sequence");
      for (const { sql: text } of kept.guards) sql.exec(text);
      return true;
    }),
  );
  if (isReset) {
    writingStatements.clear();
    found = { statements: 0, tables: [] };
  }
  return isReset;
}

/** Puts back the rows of the tables that were written in this test. Only within `withoutGuards`. */
export const writeRowsAgain = (kept: StoredRows): Promise<void> =>
  runInDatabase((storage) =>
    storage.transactionSync(() => {
      storage.sql.exec("PRAGMA defer_foreign_keys = ON");
      writeStart(storage.sql, kept, writtenTables(storage.sql, kept));
    }),
  );

/** Runs without the triggers that keep append-only tables: rows may be put back again and again. */
export async function withoutGuards(work: () => Promise<void>): Promise<void> {
  const { guards } = await readAllRows();
  await runInDatabase(({ sql }) => {
    for (const { name } of guards) sql.exec(`DROP TRIGGER ${quoted(name)}`);
  });
  try {
    await work();
  } finally {
    await runInDatabase(({ sql }) => {
      for (const { sql: text } of guards) sql.exec(text);
    });
  }
}
