import { drizzle } from "drizzle-orm/d1";

const open = (d1: D1Database) => drizzle(d1, { casing: "snake_case" });

/** It holds nothing of a request: what it works out about the tables serves every request of the binding. */
const connected = new WeakMap<D1Database, Db>();

export function connect(d1: D1Database): Db {
  const known = connected.get(d1);
  if (known) return known;
  const db = open(d1);
  connected.set(d1, db);
  return db;
}

export type Db = ReturnType<typeof open>;
