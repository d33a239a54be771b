import { runInDurableObject } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { waitForOthers } from "./open-requests.ts";
import { touched } from "./touched-storage.ts";

/** A SQLite in the isolate of the tests, which vitest.config.ts binds as TEST_DB. */
export class IsolateDatabase extends DurableObject {
  override fetch(): Response {
    return new Response(null, { status: 404 });
  }
}

const stub = () => env.TEST_DB.get(env.TEST_DB.idFromName("DB"));

/** Runs in the object that holds the database; an error keeps its message. */
export async function runInDatabase<T>(work: (storage: DurableObjectStorage) => T): Promise<T> {
  let outcome: { value: T } | { error: unknown } | undefined;
  await runInDurableObject(stub(), (_instance, { storage }) => {
    try {
      outcome = { value: work(storage) };
    } catch (error) {
      outcome = { error };
    }
  });
  if (!outcome) throw new Error("the database did not answer");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

interface Query {
  sql: string;
  values: SqlStorageValue[];
}

interface QueryResult {
  columns: string[];
  rows: unknown[][];
  meta: D1Meta & Record<string, unknown>;
}

function toStored(value: unknown): SqlStorageValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice().buffer;
  if (Array.isArray(value)) return new Uint8Array(value as number[]).buffer;
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

const fromStored = (value: unknown) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value);

function readChanges(sql: SqlStorage): { total: number; last: number } {
  return sql
    .exec<{ total: number; last: number }>("SELECT total_changes() AS total, last_insert_rowid() AS last")
    .one();
}

/** Texts of the statements that wrote since the storage was reset. */
export const writingStatements = new Set<string>();

/** One batch as D1 runs it: whole or not at all. */
function runQueries({ sql }: DurableObjectStorage, queries: readonly Query[]): QueryResult[] {
  let before = readChanges(sql);
  let size = sql.databaseSize;
  return queries.map((query) => {
    const cursor = sql.exec(query.sql, ...query.values);
    const columns = cursor.columnNames;
    const rows = [...cursor.raw()].map((row) => row.map(fromStored));
    const hasWritten = cursor.rowsWritten > 0;
    if (hasWritten) writingStatements.add(query.sql);
    const after = hasWritten ? readChanges(sql) : before;
    const sizeAfter = hasWritten ? sql.databaseSize : size;
    const changes = after.total - before.total;
    const meta = {
      served_by: "isolate",
      duration: 0,
      changes,
      last_row_id: after.last,
      changed_db: changes !== 0 || after.last !== before.last || size !== sizeAfter,
      size_after: sizeAfter,
      rows_read: cursor.rowsRead,
      rows_written: cursor.rowsWritten,
    };
    before = after;
    size = sizeAfter;
    return { columns, rows, meta };
  });
}

const toResult = ({ columns, rows, meta }: QueryResult) => ({
  success: true as const,
  results: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
  meta,
});

class IsolateStatement {
  constructor(
    private readonly database: IsolateD1,
    private readonly sql: string,
    private readonly values: SqlStorageValue[] = [],
  ) {}

  bind(...values: unknown[]): IsolateStatement {
    return new IsolateStatement(this.database, this.sql, values.map(toStored));
  }

  query(): Query {
    return { sql: this.sql, values: this.values };
  }

  private async ask(): Promise<QueryResult> {
    const [result] = await this.database.send([this.query()]);
    if (!result) throw new Error("D1_ERROR: No SQL statements detected.");
    return result;
  }

  async all() {
    return toResult(await this.ask());
  }

  run() {
    return this.all();
  }

  async raw(options?: { columnNames?: boolean }) {
    const { columns, rows } = await this.ask();
    return options?.columnNames ? [columns, ...rows] : rows;
  }

  async first(column?: string) {
    const [row] = (await this.all()).results;
    if (!row) return null;
    if (column === undefined) return row;
    if (!(column in row)) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`);
    return row[column];
  }
}

/** The part of D1 that the product uses, without the HTTP, JSON and second isolate of the local D1. */
class IsolateD1 {
  async send(queries: readonly Query[]): Promise<QueryResult[]> {
    touched.add("DB");
    await waitForOthers();
    if (queries.every(({ sql }) => sql.trim() === "")) throw new Error("D1_ERROR: No SQL statements detected.");
    try {
      return await runInDatabase((storage) => storage.transactionSync(() => runQueries(storage, queries)));
    } catch (error) {
      throw new Error(`D1_ERROR: ${(error as Error).message}`, { cause: error });
    }
  }

  prepare(sql: string): IsolateStatement {
    return new IsolateStatement(this, sql);
  }

  async batch(statements: readonly IsolateStatement[]) {
    return (await this.send(statements.map((statement) => statement.query()))).map(toResult);
  }

  async exec(text: string) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const sql of lines) await this.send([{ sql, values: [] }]);
    return { count: lines.length, duration: 0 };
  }

  withSession(): IsolateD1 {
    return new IsolateSession();
  }
}

class IsolateSession extends IsolateD1 {
  getBookmark(): null {
    return null;
  }
}

export const isolateDatabase = new IsolateD1() as unknown as D1Database;
