import { env } from "cloudflare:workers";
import { connectDatabase } from "#db/client.ts";

export const testDatabase = () => connectDatabase(env.DB);

const prepare = (statement: string, values: unknown[]) => env.DB.prepare(statement).bind(...values);

export const runSql = (statement: string, ...values: unknown[]) => prepare(statement, values).run();

export const readRow = <T = Record<string, unknown>>(statement: string, ...values: unknown[]) =>
  prepare(statement, values).first<T>();

/** The first column of the first row. */
export const readValue = async <T>(statement: string, ...values: unknown[]): Promise<T | null> =>
  (await prepare(statement, values).raw<[T]>())[0]?.[0] ?? null;

export const readRows = async <T = Record<string, unknown>>(statement: string, ...values: unknown[]): Promise<T[]> =>
  (await prepare(statement, values).all<T>()).results;

export const rowsOf = (table: string) => readRows(`SELECT * FROM ${table}`);

export const countRows = async (table: string): Promise<number> =>
  (await readValue<number>(`SELECT count(*) FROM ${table}`)) ?? 0;
