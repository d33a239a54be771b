import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";
import { type Preparable, prepareOnce } from "./prepared.ts";

type Statement = BatchItem<"sqlite">;

/** Rows of site reads in this isolate, valid while the site has this stamp. */
interface SiteRows {
  stamp: string;
  rows: Map<object, unknown>;
}
const siteRows = new WeakMap<Db, SiteRows>();
/** The read that made a statement. */
const reads = new WeakMap<object, object>();

/** Like {@link prepareOnce}, for a read without values, of tables that empty the site's stamp alone (schema/page-stamp.ts). */
export function prepareSiteRead<T extends Preparable>(build: (db: Db) => T) {
  const prepared = prepareOnce(build);
  return (db: Db) => {
    const statement = prepared(db, {});
    reads.set(statement, prepared);
    return statement;
  };
}

/**
 * Runs a batch without the site reads that are kept. The stamp of the same batch proves them; another one runs the whole
 * batch again. @param stampOf the site's stamp in the first result, empty after a write
 */
export async function batchWithSite<First>(
  db: Db,
  statements: readonly Statement[],
  stampOf: (first: First) => string,
): Promise<unknown[]> {
  const kept = siteRows.get(db);
  const keptRows = (statement: Statement) => kept?.rows.get(reads.get(statement) ?? statement);
  const asked = statements.filter((statement) => !keptRows(statement)) as [Statement, ...Statement[]];
  const found: unknown[] = await db.batch(asked);
  const stamp = stampOf(found[0] as First);
  if (asked.length < statements.length && stamp !== kept?.stamp) {
    siteRows.delete(db);
    return batchWithSite(db, statements, stampOf);
  }
  keepSiteRows(db, stamp, asked, found);
  const unkept = found.values();
  return statements.map((statement) => keptRows(statement) ?? unkept.next().value);
}

function keepSiteRows(db: Db, stamp: string, asked: readonly Statement[], found: readonly unknown[]): void {
  if (stamp === "") {
    siteRows.delete(db);
    return;
  }
  const known = siteRows.get(db);
  const rows = new Map(known?.stamp === stamp ? known.rows : []);
  for (const [at, statement] of asked.entries()) {
    const read = reads.get(statement);
    if (read) rows.set(read, frozen(found[at]));
  }
  siteRows.set(db, { stamp, rows });
}

/** Many requests share the rows. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

/** Derives a value from rows once. */
export function deriveOnce<R extends object, T>(derive: (rows: R) => T): (rows: R) => T {
  const known = new WeakMap<R, { value: T }>();
  return (rows) => {
    const found = known.get(rows) ?? { value: derive(rows) };
    known.set(rows, found);
    return found.value;
  };
}
