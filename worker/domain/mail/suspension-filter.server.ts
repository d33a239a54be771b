import { type SQL, sql } from "drizzle-orm";

/** Required in every bulk mail query. */
export const isNotSuspended = (userId: SQL) =>
  sql`NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.user_id = ${userId})`;
