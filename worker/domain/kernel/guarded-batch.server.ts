import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { runBatch } from "#db/batch.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { rateLimit } from "#db/schema/kernel.ts";

type BatchStatement = BatchItem<"sqlite">;

export interface BatchGuard {
  /** Checked inside the batch, so that an earlier read cannot be stale. */
  holds: SQL;
  error: () => AppError;
}

/** A message, sent after the batch that stores it. */
export interface QueuedLetter {
  statement: BatchStatement;
  deliver(): void;
}

export type BatchPart = BatchStatement | QueuedLetter | null;

type GuardOrSql = BatchGuard | SQL;

/** Runs one atomic batch; a failed guard throws its own error, a bare SQL guard CONFLICT. */
export async function runGuardedBatch(
  ctx: AppContext,
  given: GuardOrSql | readonly GuardOrSql[],
  parts: readonly BatchPart[],
): Promise<void> {
  const guards = [given].flat().map((guard) => ("holds" in guard ? guard : { holds: guard, error: () => conflict() }));
  const letters = parts.filter((part) => part !== null && "deliver" in part);
  const [first, ...rest] = [
    ...guards.map((guard) => abortBatchUnless(ctx, guard.holds)),
    ...parts.flatMap((part) => (part === null ? [] : "deliver" in part ? part.statement : part)),
  ];
  if (!first) return;
  try {
    // Statements in raw SQL have parameters too.
    await runBatch(ctx.db, [first, ...rest] as unknown as Parameters<typeof runBatch>[1]);
  } catch (cause) {
    if (!isBatchAborted(cause)) throw cause;
    for (const guard of guards) {
      const [row] = await ctx.db.all<{ holds: number | null }>(sql`SELECT ${guard.holds} AS holds`);
      if (!row?.holds) throw guard.error();
    }
    throw new AppError("CONFLICT", { cause });
  }
  for (const letter of letters) letter.deliver();
}

export const conflict = (message?: string) => new AppError("CONFLICT", message ? { message } : {});

// D1 has no interactive transactions; a violated constraint rolls the whole batch back.
const ABORTED = /NOT NULL constraint failed: rate_limit\.key/;

/** Must be first in a batch, which it rolls back unless the condition holds. */
export function abortBatchUnless(ctx: Pick<AppContext, "db">, condition: SQL) {
  return ctx.db.insert(rateLimit).select(sql`SELECT NULL, 0, 0, 0 WHERE coalesce(NOT (${condition}), 1)`);
}

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
