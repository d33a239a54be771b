import { inArray, sql } from "drizzle-orm";
import { rateLimit } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import { RATE_LIMITS, type RateLimitName } from "#worker/contract/limits.ts";
import { waitMessage } from "#worker/contract/messages.ts";

const rowKey = (ctx: AppContext, name: RateLimitName, subject: string) =>
  ctx.tokens.hash("limit", `${name}\n${subject}`);

/** `weight` is how much one act counts, 1 unless told. */
export type LimitEntry = readonly [name: RateLimitName, subject: string, weight?: number];

/**
 * Counts one act and refuses it above a limit; upserts, so that parallel calls are counted exactly.
 * @throws AppError TOO_MANY_REQUESTS with the longest wait
 */
export async function countLimits(ctx: AppContext, ...entries: [LimitEntry, ...LimitEntry[]]): Promise<void> {
  const [first, ...rest] = entries.map(([name, subject, weight]) => upsert(ctx, name, subject, weight));
  if (!first) return;
  const results = await ctx.db.batch([first, ...rest]);
  const exceeded = results.flatMap((rows, at) => rows.filter((row) => row.count > RATE_LIMITS[entries[at]![0]].max));
  if (exceeded.length === 0) return;
  const until = Math.max(...exceeded.map((row) => row.resetDate.getTime()));
  const retryAfterSeconds = Math.max(1, Math.ceil((until - ctx.now().getTime()) / 1000));
  throw new AppError("TOO_MANY_REQUESTS", { message: waitMessage(retryAfterSeconds), retryAfterSeconds });
}

function upsert(ctx: AppContext, name: RateLimitName, subject: string, weight = 1) {
  const now = ctx.now().getTime();
  const resetDate = new Date(now + RATE_LIMITS[name].windowSeconds * 1000);
  return ctx.db
    .insert(rateLimit)
    .values({ key: rowKey(ctx, name, subject), count: weight, resetDate })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${rateLimit.resetDate} <= ${now} THEN ${weight} ELSE ${rateLimit.count} + ${weight} END`,
        resetDate: sql`CASE WHEN ${rateLimit.resetDate} <= ${now} THEN ${resetDate.getTime()} ELSE ${rateLimit.resetDate} END`,
      },
    })
    .returning();
}

/** Gives back what was counted for an act that did not take place or did not fail after all. */
export async function giveBack(ctx: AppContext, ...entries: LimitEntry[]): Promise<void> {
  await ctx.db
    .update(rateLimit)
    .set({ count: sql`max(0, ${rateLimit.count} - 1)` })
    .where(inArray(rateLimit.key, keysOf(ctx, entries)));
}

export async function clearLimits(ctx: AppContext, ...entries: LimitEntry[]): Promise<void> {
  await ctx.db.delete(rateLimit).where(inArray(rateLimit.key, keysOf(ctx, entries)));
}

const keysOf = (ctx: AppContext, entries: LimitEntry[]) => entries.map(([name, subject]) => rowKey(ctx, name, subject));
