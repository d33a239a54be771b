import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

type BatchStatement =
  | { toSQL(): { sql: string; params: unknown[] } }
  | { getQuery(): { sql: string; params: unknown[] } };

/**
 * Runs raw statements with parameters, which drizzle's batch cannot bind on D1. @returns each statement's rows, by
 * column name
 */
export async function runBatch(db: Db, statements: readonly BatchStatement[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => prepareStatement(db, statement));
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}

export function prepareStatement(db: Db, statement: BatchStatement): D1PreparedStatement {
  const { sql, params } = "toSQL" in statement ? statement.toSQL() : statement.getQuery();
  return db.$client.prepare(sql).bind(...params);
}

/** Sends one batch from Node and retries when workerd has closed the connection. */
export async function sendBatch(db: Db, statements: BatchItem<"sqlite">[]): Promise<void> {
  // Yields once so that Node notices a connection that workerd closed while idle.
  await new Promise((done) => setImmediate(done));
  const send = () => db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
  await send().catch((error: unknown) => {
    // A retry is safe: ids are fixed, so it fails if the first batch had arrived.
    if (!isClosedConnection(error)) throw error;
    return send();
  });
}

function isClosedConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("other side closed")) return true;
  }
  return false;
}

export interface Batches {
  batch(statements: readonly string[]): Promise<void>;
  query<T>(sql: string): Promise<T[]>;
}

export const bindingBatches = (d1: D1Database): Batches => ({
  batch: async (statements) => void (await d1.batch(statements.map((sql) => d1.prepare(sql)))),
  query: async <T>(sql: string) => (await d1.prepare(sql).all<T>()).results,
});
