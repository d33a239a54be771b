import { env } from "cloudflare:workers";
import { connectDatabase } from "#db/client.ts";

export const testDatabase = () => connectDatabase(env.DB);

const prepare = (statement: string, values: unknown[]) => env.DB.prepare(statement).bind(...values);

export const runSql = (statement: string, ...values: unknown[]) => prepare(statement, values).run();

export const readRow = <T = Record<string, unknown>>(statement: string, ...values: unknown[]) =>
  prepare(statement, values).first<T>();

export const readValue = async <T>(statement: string, ...values: unknown[]): Promise<T | null> =>
  (await prepare(statement, values).raw<[T]>())[0]?.[0] ?? null;

export const readRows = async <T = Record<string, unknown>>(statement: string, ...values: unknown[]): Promise<T[]> =>
  (await prepare(statement, values).all<T>()).results;

export const rowsOf = (table: string) => readRows(`SELECT * FROM ${table}`);

export const countRows = async (table: string): Promise<number> =>
  (await readValue<number>(`SELECT count(*) FROM ${table}`)) ?? 0;

/** Rows per table in one query, without request counters and an index's own tables. */
export async function countAllRows(): Promise<Record<string, number>> {
  const tables = await readRows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*' AND name NOT GLOB 'alumni_gram_*' AND name NOT IN ('rate_limit', 'session')",
  );
  const counts = await env.DB.batch<{ n: number }>(
    tables.map(({ name }) => env.DB.prepare(`SELECT count(*) AS n FROM "${name}"`)),
  );
  return Object.fromEntries(tables.map(({ name }, at) => [name, counts[at]?.results[0]?.n ?? -1]));
}
