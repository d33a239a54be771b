import { gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { rateLimit } from "#db/schema/kernel.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

// D1 has no transaction that can look and then decide; a statement that breaks a constraint takes its whole batch back.
const ABORTED = /NOT NULL constraint failed: rate_limit\.key/;

/** Stands first in a batch: unless the condition holds, nothing of the batch happens. */
export function abortBatchUnless(ctx: Pick<AppContext, "db">, condition: SQL) {
  return ctx.db.insert(rateLimit).select(sql`SELECT NULL, 0, 0, 0 WHERE coalesce(NOT (${condition}), 1)`);
}

/** How long one step of a long work may take. */
export const LEASE_MS = 5 * 60_000;

/** No step works on it: none began, its time is over, or a clock that was ahead set it. */
export const isLeaseOver = (until: SQLiteColumn, now: Date) =>
  or(isNull(until), lt(until, now), gt(until, new Date(now.getTime() + 2 * LEASE_MS)));

/** Did the batch fail because its condition did not hold? */
export function isBatchAborted(error: unknown): boolean {
  return errorMessages(error).some((message) => ABORTED.test(message));
}

/** Did the batch fail because such a row is there already, in that table if one is named? */
export function isUniqueViolation(error: unknown, table = ""): boolean {
  return errorMessages(error).some((message) => message.includes(`UNIQUE constraint failed: ${table}`));
}

/** Writes what may be there already. @throws AppError ALREADY_EXISTS with this message where it is */
export async function refuseExisting<T>(message: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw new AppError("ALREADY_EXISTS", { message, cause });
  }
}

function errorMessages(error: unknown): string[] {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) messages.push(at.message);
  return messages;
}
