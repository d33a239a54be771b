import { asc, getTableName, type InferSelectModel, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { lastPlace } from "./ordered-rows.server.ts";

type NumberColumn = AnySQLiteColumn<{ data: number }>;
type VersionedTable = SQLiteTable & { version: NumberColumn };
type OrderedTable = VersionedTable & { sortOrder: NumberColumn };

export interface TransferSite {
  now: Date;
  memberCount: number;
  /** Ids of public pictures, and `code file` of files on a page of this site. */
  files: ReadonlySet<string>;
  agreements: ReadonlySet<string>;
  pages: ReadonlySet<string>;
}

interface AdaptedRow<Document> {
  document: Document;
  left: string[];
}

export interface RowTransfer<Row extends object, Document extends object> {
  select(db: Db, now: Date): { _: { result: Row[] } };
  stamp: SQL<string>;
  documentOf(row: Row): Document | null;
  keyOf(document: Document): string;
  rowKeyOf(row: Row): string;
  nameOf(document: Document): string;
  write(ctx: AppContext, document: Document, here: Row | undefined, site: TransferSite): BatchStatement[];
  /** Validation errors by `{row}.{field}`. */
  problems?(documents: readonly Document[], here: readonly Row[]): Record<string, string>;
  adapt?(document: Document, site: TransferSite): AdaptedRow<Document>;
  judge?(document: Document, here: Row | undefined, site: TransferSite): { kept: string } | { follows: string[] };
  /** Checks the right to this row, or without a document to reorder. @throws AppError FORBIDDEN */
  authorize?(ctx: AppContext, document?: Document, here?: Row): void;
  /** Values in force before a row is stored. */
  unstored?(ctx: AppContext, document: Document): object;
  ordered?: OrderedTable;
  /** Runs once before the rows if any row changes. */
  also?(ctx: AppContext): BatchStatement[];
  /** The import replaces all rows: rows missing in the file are deleted. */
  isWhole?: true;
}

export const stampOf = (table: SQLiteTable, key: SQL | AnySQLiteColumn, version: SQL | AnySQLiteColumn): SQL<string> =>
  sql`(SELECT json_group_array(stamp) FROM (SELECT ${key} || ':' || ${version} AS stamp FROM ${sql.identifier(getTableName(table))} ORDER BY 1))`;

export const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[name]]));

type KeyedTable<K extends string> = VersionedTable & Record<K, AnySQLiteColumn<{ data: string }>>;

/** The transfer of a table whose columns have the names of the document's fields. */
export const transferOf =
  <Document extends object>() =>
  <K extends string, T extends KeyedTable<K>>(
    table: T,
    key: K,
    title: string,
    names: readonly string[],
  ): RowTransfer<InferSelectModel<T>, Document> => {
    const ordered = "sortOrder" in table ? (table as VersionedTable as OrderedTable) : null;
    const keyOf = (row: object) => String((row as Record<string, unknown>)[key]);
    return {
      select: (db: Db) =>
        db
          .select()
          .from(table as SQLiteTable)
          .orderBy(...(ordered ? [asc(ordered.sortOrder)] : []), asc(table[key])),
      stamp: stampOf(table, table[key], table.version),
      documentOf: (row: object) => pick(row, names) as Document,
      keyOf,
      rowKeyOf: keyOf,
      nameOf: (document: object) => String((document as Record<string, unknown>)[title]),
      write: (ctx: AppContext, document: object) => [
        writeRow(ctx, table, table[key], { ...document }, ordered ? { sortOrder: lastPlace(ordered) } : {}),
      ],
      ...(ordered && { ordered }),
    } as unknown as RowTransfer<InferSelectModel<T>, Document>;
  };

/** Validation errors of documents that are checked one by one. */
export const eachProblem = <Document>(
  documents: readonly Document[],
  problemsOf: (document: Document) => Record<string, string | null>,
): Record<string, string> =>
  Object.fromEntries(
    documents.flatMap((document, at) =>
      Object.entries(problemsOf(document)).flatMap(([name, problem]) =>
        problem === null ? [] : [[`${at}.${name}`, problem]],
      ),
    ),
  );

/** Upserts a row; `first` applies only to a new one. */
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

export const writeOrderedRow = (
  ctx: AppContext,
  table: OrderedTable,
  key: AnySQLiteColumn,
  values: Record<string, unknown>,
): BatchStatement => writeRow(ctx, table, key, values, { sortOrder: lastPlace(table) });
