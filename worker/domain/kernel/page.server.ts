import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import { makePage, type Page } from "#worker/contract/kernel/page.ts";

export const countRows = (db: Db, from: SQLiteTable | SQL, where?: SQL) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(from)
    .where(where);

interface PageChoice {
  page: number;
  size: number;
}

export const rowsOfPage = <Cut>(
  all: { limit: (count: number) => { offset: (count: number) => Cut } },
  { page, size }: PageChoice,
): Cut => all.limit(size).offset((page - 1) * size);

export const makeCountedPage = <T>(
  { page, size }: PageChoice,
  content: T[],
  counts: readonly { count: number }[],
): Page<T> => makePage(content, { page, size, totalElements: counts[0]?.count ?? 0 });
