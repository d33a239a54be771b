import type { Db } from "./client.ts";

type Statement = { toSQL(): { sql: string; params: unknown[] } } | { getQuery(): { sql: string; params: unknown[] } };

/**
 * A batch that may hold raw statements with parameters, which drizzle's own batch cannot bind on D1.
 * @returns the rows of each, by column name
 */
export async function runBatch(db: Db, statements: readonly Statement[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = "toSQL" in statement ? statement.toSQL() : statement.getQuery();
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}
