import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema.ts";

export function connect(d1: D1Database) {
  return drizzle(d1, { schema, casing: "snake_case" });
}

export type Db = ReturnType<typeof connect>;
