import type { SQL } from "drizzle-orm";
import { index, uniqueIndex } from "drizzle-orm/sqlite-core";

type IndexedColumns = Parameters<ReturnType<typeof index>["on"]>;

/** Index of the rows that match `which`. */
export const partialIndex = (name: string, which: SQL, ...columns: IndexedColumns) =>
  index(name)
    .on(...columns)
    .where(which);

/** Unique among the rows that match `which`. */
export const partialUniqueIndex = (name: string, which: SQL, ...columns: IndexedColumns) =>
  uniqueIndex(name)
    .on(...columns)
    .where(which);
