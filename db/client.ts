import { drizzle } from "drizzle-orm/d1";

const openDatabase = (d1: D1Database) => drizzle(d1, { casing: "snake_case" });

/** Shared by all requests of a binding: a connection keeps no request state. */
const connections = new WeakMap<D1Database, Db>();

export function connectDatabase(d1: D1Database): Db {
  const known = connections.get(d1);
  if (known) return known;
  const db = openDatabase(d1);
  connections.set(d1, db);
  return db;
}

export type Db = ReturnType<typeof openDatabase>;
