import { integer, text } from "drizzle-orm/sqlite-core";

/** A moment, in milliseconds since 1970. */
export const dateColumn = () => integer({ mode: "timestamp_ms" });

/** A moment that every row is given. */
export const requiredDate = () => dateColumn().notNull();

/** False unless it is set. */
export const flagColumn = () => integer({ mode: "boolean" }).notNull().default(false);

/** Empty, never null, where nothing is given. */
export const textColumn = () => text().notNull().default("");

/** A text that every row is given. */
export const requiredText = () => text().notNull();

/** Where a row stands among the others; the lowest first. */
export const orderColumn = () => integer().notNull().default(0);

/** Rises by one with every change that somebody may have to see before they write over it. */
export const versionColumn = () => integer().notNull().default(1);

/** Who wrote a row; the name stays when they have left. */
export const writerColumns = () => ({ createdUserId: requiredText(), createdUserName: requiredText() });

/** Of a row that lies in the bin for a while before it is destroyed. */
export const deletableColumns = () => ({
  createdDate: requiredDate(),
  modifiedDate: requiredDate(),
  deletedDate: dateColumn(),
});

/** Of a row of an ordered list of the office's, which is closed where its values have to stay. */
export const closableColumns = () => ({
  sortOrder: orderColumn(),
  isClosed: flagColumn(),
  version: versionColumn(),
});
