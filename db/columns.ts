import type { SQL } from "drizzle-orm";
import { index, integer, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A moment, in milliseconds since 1970. */
export const dateColumn = () => integer({ mode: "timestamp_ms" });

/** False unless it is set. */
export const flagColumn = () => integer({ mode: "boolean" }).notNull().default(false);

/** Empty, never null, where nothing is given. */
export const textColumn = () => text().notNull().default("");

/** A text that every row is given. */
export const requiredText = () => text().notNull();

/** Rises by one with every change that somebody may have to see before they write over it. */
export const versionColumn = () => integer().notNull().default(1);

/** Who wrote a row; the name stays when they have left. */
export const writerColumns = () => ({ createdUserId: requiredText(), createdUserName: requiredText() });

/** Of a row that lies in the bin for a while before it is destroyed. */
export const deletableColumns = () => ({
  createdDate: dateColumn().notNull(),
  modifiedDate: dateColumn().notNull(),
  deletedDate: dateColumn(),
});

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
