import type { SQL } from "drizzle-orm";
import { index, uniqueIndex } from "drizzle-orm/sqlite-core";

type IndexedColumns = Parameters<ReturnType<typeof index>["on"]>;

/** An index of those rows that `which` is true of. */
export const partialIndex = (name: string, which: SQL, ...columns: IndexedColumns) =>
  index(name)
    .on(...columns)
    .where(which);

/** No two of the rows that `which` is true of are alike in these columns. */
export const partialUniqueIndex = (name: string, which: SQL, ...columns: IndexedColumns) =>
  uniqueIndex(name)
    .on(...columns)
    .where(which);
