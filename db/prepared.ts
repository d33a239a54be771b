import { fillPlaceholders, type Placeholder } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./client.ts";

type Read = BatchItem<"sqlite">;

interface Built {
  getQuery(): { sql: string; params: unknown[] };
  all(values: Record<string, unknown>): Promise<unknown>;
}

export type Preparable = Read & { prepare(): Built };

/** A value, or a placeholder in a prepared statement. */
export type Place<T> = T | Placeholder;

/** A date, or a placeholder for its milliseconds. */
export type Moment = Place<Date>;
export const timeOf = (now: Moment) => (now instanceof Date ? now.getTime() : now);

type PreparedRead<T extends Read> = { readonly _: T["_"]; all(): Promise<T["_"]["result"]> };

/** Like {@link prepareOnce}, for a read with a few forms. @param keyOf names a form */
export function prepareForms<F, T extends Preparable>(
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

/** Builds a read's SQL once a connection. @param build uses placeholders instead of request data */
export function prepareOnce<T extends Preparable>(
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
    // Overrides only the bound query; row mapping stays that of the built one.
    const filled = Object.assign(Object.create(built) as object, {
      getQuery: () => bound,
      stmt: db.$client.prepare(query.sql),
      _prepare: () => filled,
      all: () => built.all.call(filled, values),
    });
    return filled as unknown as PreparedRead<T>;
  };
}
