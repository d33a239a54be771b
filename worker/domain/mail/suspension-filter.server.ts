import { type SQL, sql } from "drizzle-orm";

/** Nothing that rests on the person's choice is done while this is false: asked wherever mail goes to many. */
export const isNotSuspended = (userId: SQL) =>
  sql`NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.user_id = ${userId})`;
