import { drizzle } from "drizzle-orm/d1";

const openDatabase = (d1: D1Database) => drizzle(d1, { casing: "snake_case" });

/** It holds nothing of a request: what it works out about the tables serves every request of the binding. */
const connections = new WeakMap<D1Database, Db>();

export function connectDatabase(d1: D1Database): Db {
  const known = connections.get(d1);
  if (known) return known;
  const db = openDatabase(d1);
  connections.set(d1, db);
  return db;
}

export type Db = ReturnType<typeof openDatabase>;
