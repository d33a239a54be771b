import { fillPlaceholders, type Placeholder } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

type Read = BatchItem<"sqlite">;

/** What a statement becomes by `prepare()`: its SQL is built. */
interface Built {
  getQuery(): { sql: string; params: unknown[] };
  all(values: Record<string, unknown>): Promise<unknown>;
}

/** A value, or its place in a statement that is built before. */
export type Place<T> = T | Placeholder;

/** A date, or the place of its milliseconds. */
export type Moment = Place<Date>;
export const timeOf = (now: Moment) => (now instanceof Date ? now.getTime() : now);

/** For a batch, or by itself with `all()`. */
export type PreparedRead<T extends Read> = { readonly _: T["_"]; all(): Promise<T["_"]["result"]> };

/** The same for a read that has some forms, few enough to keep. @param keyOf names a form */
export function prepareForms<F, T extends Read & { prepare(): Built }>(
  keyOf: (form: F) => string,
  build: (db: Db, form: F) => T,
): (db: Db, form: F, values: Record<string, unknown>) => PreparedRead<T> {
  const forms = new Map<string, ReturnType<typeof prepareOnce<T>>>();
  return (db, form, values) => {
    const key = keyOf(form);
    const known = forms.get(key) ?? prepareOnce((given) => build(given, form));
    forms.set(key, known);
    return known(db, values);
  };
}

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
