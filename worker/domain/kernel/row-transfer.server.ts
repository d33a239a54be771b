import { getTableName, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { lastPlace } from "./ordered-rows.server.ts";

type NumberColumn = AnySQLiteColumn<{ data: number }>;
type VersionedTable = SQLiteTable & { version: NumberColumn };
type OrderedTable = VersionedTable & { sortOrder: NumberColumn };

/** What the judgement about a row of a file needs to know of the site that it comes to. */
export interface TransferSite {
  now: Date;
  memberCount: number;
  /** Ids of pictures that everybody may see here, and by `code file` of files that hang on a page here. */
  files: ReadonlySet<string>;
  /** Codes of agreements of which any version stands here. */
  agreements: ReadonlySet<string>;
  /** Codes of pages that are written here or in the file. */
  pages: ReadonlySet<string>;
}

/** What a row of a file would do here: nothing and why, or what follows from it. */
export type RowJudgement = { kept: string } | { follows: string[] };

/** A document of the file as it would be written here, and what stays behind of it by name. */
export interface AdaptedRow<Document> {
  document: Document;
  left: string[];
}

/** One kind of rows in a file of settings: how they are read, named, compared and written. Who calls it has authorised. */
export interface RowTransfer<Row extends object, Document extends object> {
  select(db: Db, now: Date): { _: { result: Row[] } };
  /** Keys and versions of all of them, as the database sees them. */
  stamp: SQL<string>;
  /** Null for what belongs into no file. */
  documentOf(row: Row): Document | null;
  keyOf(document: Document): string;
  rowKeyOf(row: Row): string;
  nameOf(document: Document): string;
  write(ctx: AppContext, document: Document, here: Row | undefined, site: TransferSite): BatchStatement[];
  /** What its own screen would refuse, by `{row}.{field}`. */
  problems?(documents: readonly Document[], here: readonly Row[]): Record<string, string>;
  adapt?(document: Document, site: TransferSite): AdaptedRow<Document>;
  /** Of a row that is new here or differs. */
  judge?(document: Document, here: Row | undefined, site: TransferSite): RowJudgement;
  /** The area's right, for a row that is written, or without a document for their order. @throws AppError FORBIDDEN */
  authorize?(ctx: AppContext, document?: Document, here?: Row): void;
  /** Where their order travels with them. */
  ordered?: OrderedTable;
  /** Once, before the rows, where anything of them changes. */
  also?(ctx: AppContext): BatchStatement[];
  /** All of them are one thing: those that are not in the file go. */
  isWhole?: true;
}

/** Keys and versions of a table's rows; compared inside the batch that changes them. */
export const stampOf = (table: SQLiteTable, key: SQL | AnySQLiteColumn, version: SQL | AnySQLiteColumn): SQL<string> =>
  sql`(SELECT json_group_array(stamp) FROM (SELECT ${key} || ':' || ${version} AS stamp FROM ${sql.identifier(getTableName(table))} ORDER BY 1))`;

/** A row of the file over the one that stands under its key. */
export const writeRow = (
  ctx: AppContext,
  table: VersionedTable,
  key: AnySQLiteColumn,
  values: Record<string, unknown>,
  first: Record<string, unknown> = {},
): BatchStatement =>
  ctx.db
    .insert(table)
    .values({ ...first, ...values } as object)
    .onConflictDoUpdate({ target: key, set: { version: sql`${table.version} + 1`, ...values } as object });

/** The same, behind all others where it is new. */
export const writeOrderedRow = (
  ctx: AppContext,
  table: OrderedTable,
  key: AnySQLiteColumn,
  values: Record<string, unknown>,
): BatchStatement => writeRow(ctx, table, key, values, { sortOrder: lastPlace(table) });
