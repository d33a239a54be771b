import { gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { rateLimit } from "#db/schema/kernel.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

// D1 has no interactive transactions; a violated constraint rolls the whole batch back.
const ABORTED = /NOT NULL constraint failed: rate_limit\.key/;

/** Must be first in a batch, which it rolls back unless the condition holds. */
export function abortBatchUnless(ctx: Pick<AppContext, "db">, condition: SQL) {
  return ctx.db.insert(rateLimit).select(sql`SELECT NULL, 0, 0, 0 WHERE coalesce(NOT (${condition}), 1)`);
}

/** Lease for one step of a long job. */
export const LEASE_MS = 5 * 60_000;

/** True for a missing, expired or implausibly long lease, which a fast clock could set. */
export const isLeaseOver = (until: SQLiteColumn, now: Date) =>
  or(isNull(until), lt(until, now), gt(until, new Date(now.getTime() + 2 * LEASE_MS)));

export function isBatchAborted(error: unknown): boolean {
  return errorMessages(error).some((message) => ABORTED.test(message));
}

export function isUniqueViolation(error: unknown, table = ""): boolean {
  return errorMessages(error).some((message) => message.includes(`UNIQUE constraint failed: ${table}`));
}

/** Maps a unique violation to the message. @throws AppError ALREADY_EXISTS */
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
