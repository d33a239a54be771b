import { index, integer, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { SQL } from "drizzle-orm";

export const dateColumn = () => integer({ mode: "timestamp_ms" });

export const requiredDate = () => dateColumn().notNull();

export const flagColumn = () => integer({ mode: "boolean" }).notNull().default(false);

/** Empty rather than null. */
export const textColumn = () => text().notNull().default("");

export const requiredText = () => text().notNull();

export const orderColumn = () => integer().notNull().default(0);

/** Optimistic lock: rises by one with every change a later editor must see. */
export const versionColumn = () => integer().notNull().default(1);

export const writerColumns = () => ({ createdUserId: requiredText(), createdUserName: requiredText() });

export const deletableColumns = () => ({
  createdDate: requiredDate(),
  modifiedDate: requiredDate(),
  deletedDate: dateColumn(),
});

/** Rows of an ordered list that are closed rather than deleted, to keep their values. */
export const closableColumns = () => ({
  sortOrder: orderColumn(),
  isClosed: flagColumn(),
  version: versionColumn(),
});

/** Lease of the running step of a long work; the id is empty between steps. */
export const leaseColumns = () => ({
  leaseId: textColumn(),
  leaseDate: dateColumn(),
  interruptions: integer().notNull().default(0),
});

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
