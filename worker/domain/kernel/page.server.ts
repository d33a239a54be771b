import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import { makePage, type Page } from "#worker/contract/kernel/envelope.ts";

/** How many rows there are, as a statement of a batch. */
export const countRows = (db: Db, from: SQLiteTable | SQL, where?: SQL) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(from)
    .where(where);

/** The page that was asked for, out of its rows and the answer of `countRows`. */
export const makeCountedPage = <T>(
  { page, size }: { page: number; size: number },
  content: T[],
  counts: readonly { count: number }[],
): Page<T> => makePage(content, { page, size, totalElements: counts[0]?.count ?? 0 });
