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

export interface PageChoice {
  page: number;
  size: number;
}

/** A statement for all rows in their order, cut to those of one page. */
export const rowsOfPage = <Cut>(
  all: { limit: (count: number) => { offset: (count: number) => Cut } },
  { page, size }: PageChoice,
): Cut => all.limit(size).offset((page - 1) * size);

/** The page that was asked for, out of its rows and the answer of `countRows`. */
export const makeCountedPage = <T>(
  { page, size }: PageChoice,
  content: T[],
  counts: readonly { count: number }[],
): Page<T> => makePage(content, { page, size, totalElements: counts[0]?.count ?? 0 });
