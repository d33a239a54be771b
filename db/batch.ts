import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

type BatchStatement =
  | { toSQL(): { sql: string; params: unknown[] } }
  | { getQuery(): { sql: string; params: unknown[] } };

/**
 * A batch that may hold raw statements with parameters, which drizzle's own batch cannot bind on D1.
 * @returns the rows of each, by column name
 */
export async function runBatch(db: Db, statements: readonly BatchStatement[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = "toSQL" in statement ? statement.toSQL() : statement.getQuery();
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}

/** Sends statements in one batch from Node, where the connection to workerd may have been closed in between. */
export async function sendBatch(db: Db, statements: BatchItem<"sqlite">[]): Promise<void> {
  // After a long computation workerd may have closed the idle connection; a turn of the loop lets Node notice.
  await new Promise((done) => setImmediate(done));
  const send = () => db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
  await send().catch((error: unknown) => {
    // Ids and numbers are fixed by now: had the first try arrived after all, the second would fail and not double.
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
