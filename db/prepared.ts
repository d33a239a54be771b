import { fillPlaceholders } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

type Read = BatchItem<"sqlite">;

/** What a statement becomes by `prepare()`: its SQL is built. */
interface Built {
  getQuery(): { sql: string; params: unknown[] };
  all(values: Record<string, unknown>): Promise<unknown>;
}

/** For a batch, or by itself with `all()`. */
export type PreparedRead<T extends Read> = { readonly _: T["_"]; all(): Promise<T["_"]["result"]> };

/**
 * A read whose SQL is built once for a connection, and not for each request; its values stand as placeholders.
 * @param build statements without anything of a request
 */
export function prepareOnce<T extends Read & { prepare(): Built }>(
  build: (db: Db) => T,
): (db: Db, values: Record<string, unknown>) => PreparedRead<T> {
  const statements = new WeakMap<Db, { built: Built; query: { sql: string; params: unknown[] } }>();
  return (db, values) => {
    let known = statements.get(db);
    if (!known) {
      const built = build(db).prepare();
      known = { built, query: built.getQuery() };
      statements.set(db, known);
    }
    const { built, query } = known;
    const bound = { sql: query.sql, params: fillPlaceholders(query.params, values) };
    // What a batch asks for; everything else, above all how rows become objects, is that of the built one.
    const filled = Object.assign(Object.create(built) as object, {
      getQuery: () => bound,
      stmt: db.$client.prepare(query.sql),
      _prepare: () => filled,
      all: () => built.all.call(filled, values),
    });
    return filled as unknown as PreparedRead<T>;
  };
}
