import { inArray, sql } from "drizzle-orm";
import { rateLimit } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { RATE_LIMITS, type RateLimitName } from "#worker/contract/kernel/limits.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";

/** `weight` defaults to 1; with 0 a free place is required but not taken. `max` lowers the limit. */
export type LimitEntry = readonly [name: RateLimitName, subject: string, weight?: number, max?: number];
type LimitEntries = readonly [LimitEntry, ...LimitEntry[]];

export const limitMax = ([name, , , max = Infinity]: LimitEntry): number => Math.min(RATE_LIMITS[name].max, max);

const RESERVATION_POLL_MS = 250;
const RESERVATION_POLLS = 60;

export const limitKey = (ctx: AppContext, [name, subject]: LimitEntry) =>
  ctx.tokens.hash("limit", `${name}\n${subject}`);
const limitKeys = (ctx: AppContext, entries: readonly LimitEntry[]) => entries.map((entry) => limitKey(ctx, entry));
export const limitsWhere = (ctx: AppContext, entries: readonly LimitEntry[]) =>
  inArray(rateLimit.key, limitKeys(ctx, entries));

/**
 * Counts one act against all limits or none; exact for parallel calls. @returns the counts including this act @throws
 * AppError TOO_MANY_REQUESTS with the longest wait
 */
export async function countLimits(ctx: AppContext, ...entries: LimitEntries): Promise<(entry: LimitEntry) => number> {
  const { taken, usedUp, rows } = await takeSlots(ctx, entries, "count");
  if (!taken) throw tooManyRequests(ctx, usedUp);
  return (entry) => rows.find((row) => row.key === limitKey(ctx, entry))?.count ?? 0;
}

/**
 * Holds a place for an attempt that counts only on failure; waits while other attempts hold the places. @throws
 * AppError TOO_MANY_REQUESTS
 */
export async function reserveAttempt(ctx: AppContext, ...entries: LimitEntries): Promise<void> {
  for (let poll = 0; ; poll += 1) {
    const { taken, failed } = await takeSlots(ctx, entries, "held");
    if (taken) return;
    if (failed.length > 0) throw tooManyRequests(ctx, failed);
    if (poll >= RESERVATION_POLLS) throw tooManyRequests(ctx, []);
    await new Promise((resolve) => setTimeout(resolve, RESERVATION_POLL_MS));
  }
}

/**
 * Counts an act inside its own batch, saving a round trip. Reads must depend on `isFree`, so that refused calls stay
 * cheap.
 */
export function countWithin(ctx: AppContext, ...entries: LimitEntries) {
  const { isFree, statements, judge } = placeStatements(ctx, entries, "count");
  return {
    isFree,
    statements,
    /** @throws AppError TOO_MANY_REQUESTS with the longest wait */
    require(...answer: PlaceRows): void {
      const { taken, usedUp } = judge(...answer);
      if (!taken) throw tooManyRequests(ctx, usedUp);
    },
  };
}
type PlaceRows = [places: readonly { key: string }[], rows: readonly (typeof rateLimit.$inferSelect)[]];

async function takeSlots(ctx: AppContext, entries: LimitEntries, column: "count" | "held") {
  const { statements, judge } = placeStatements(ctx, entries, column);
  return judge(...(await ctx.db.batch(statements)));
}

function placeStatements(ctx: AppContext, entries: LimitEntries, column: "count" | "held") {
  const now = ctx.now().getTime();
  const keys = limitKeys(ctx, entries);
  const asked = JSON.stringify(
    entries.map((entry, at) => {
      const [name, , weight = 1] = entry;
      const reset = now + RATE_LIMITS[name].windowSeconds * 1000;
      return { key: keys[at], weight, max: limitMax(entry), reset };
    }),
  );
  const weight = sql`value ->> 'weight'`;
  const ran = sql`${rateLimit.resetDate} <= ${now}`;
  const isFree = sql`NOT EXISTS (
    SELECT 1 FROM json_each(${asked}) AS wanted JOIN rate_limit AS used ON used.key = wanted.value ->> 'key'
    WHERE used.reset_date > ${now} AND used.count + used.held + max(wanted.value ->> 'weight', 1) > wanted.value ->> 'max'
  )`;
  const statements = [
    ctx.db
      .insert(rateLimit)
      .select(
        sql`SELECT value ->> 'key', ${column === "count" ? weight : 0}, ${column === "held" ? weight : 0}, value ->> 'reset'
          FROM json_each(${asked})
          WHERE value ->> 'weight' > 0 AND ${isFree}`,
      )
      .onConflictDoUpdate({
        target: rateLimit.key,
        set: {
          count: sql`CASE WHEN ${ran} THEN 0 ELSE ${rateLimit.count} END + excluded.count`,
          held: sql`CASE WHEN ${ran} THEN 0 ELSE ${rateLimit.held} END + excluded.held`,
          resetDate: sql`CASE WHEN ${ran} THEN excluded.reset_date ELSE ${rateLimit.resetDate} END`,
        },
      })
      .returning({ key: rateLimit.key }),
    ctx.db.select().from(rateLimit).where(inArray(rateLimit.key, keys)),
  ] as const;
  const judge = (...[places, rows]: PlaceRows) => {
    const over = (used: (row: typeof rateLimit.$inferSelect) => number) =>
      rows.filter((row) => {
        const entry = entries[keys.indexOf(row.key)];
        if (!entry) return false;
        return row.resetDate.getTime() > now && used(row) + Math.max(entry[2] ?? 1, 1) > limitMax(entry);
      });
    return {
      taken: places.length > 0,
      usedUp: over((row) => row.count + row.held),
      failed: over((row) => row.count),
      rows,
    };
  };
  return { isFree, statements, judge };
}

function tooManyRequests(ctx: AppContext, rows: { resetDate: Date }[]): AppError {
  const now = ctx.now().getTime();
  const until = Math.max(now, ...rows.map((row) => row.resetDate.getTime()));
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new AppError("TOO_MANY_REQUESTS", { message: retryAfterMessage(retryAfterSeconds), retryAfterSeconds });
}

export function failAttemptStatement(ctx: AppContext, entries: readonly LimitEntry[]) {
  return ctx.db
    .update(rateLimit)
    .set({ held: sql`max(0, ${rateLimit.held} - 1)`, count: sql`${rateLimit.count} + 1` })
    .where(limitsWhere(ctx, entries))
    .returning();
}

export function releaseAttemptStatement(ctx: AppContext, entries: readonly LimitEntry[]) {
  return ctx.db
    .update(rateLimit)
    .set({ held: sql`max(0, ${rateLimit.held} - 1)` })
    .where(limitsWhere(ctx, entries));
}

export async function refundLimits(ctx: AppContext, ...entries: LimitEntry[]): Promise<void> {
  await ctx.db
    .update(rateLimit)
    .set({ count: sql`max(0, ${rateLimit.count} - 1)` })
    .where(limitsWhere(ctx, entries));
}

/** Counts an act and refunds it when the act throws. @throws AppError TOO_MANY_REQUESTS, and errors of the act */
export async function actWithinLimit<T>(ctx: AppContext, entry: LimitEntry, act: () => Promise<T>): Promise<T> {
  await countLimits(ctx, entry);
  try {
    return await act();
  } catch (error) {
    await refundLimits(ctx, entry);
    throw error;
  }
}

/** Counts nothing; for acts that are charged by their result. @throws AppError TOO_MANY_REQUESTS */
export async function requireLimitRoom(ctx: AppContext, entry: LimitEntry): Promise<void> {
  const { usedUp } = await takeSlots(ctx, [[entry[0], entry[1], 0]], "count");
  if (usedUp.length > 0) throw tooManyRequests(ctx, usedUp);
}

export async function isLimitUsedUp(ctx: AppContext, entry: LimitEntry): Promise<boolean> {
  const [row] = await ctx.db
    .select()
    .from(rateLimit)
    .where(limitsWhere(ctx, [entry]));
  return row !== undefined && row.resetDate > ctx.now() && row.count >= limitMax(entry);
}

/** Charges the result of an act, even above the limit: later acts wait. */
export function chargeLimit(ctx: AppContext, [name, subject, weight = 1]: LimitEntry) {
  const now = ctx.now().getTime();
  const resetDate = new Date(now + RATE_LIMITS[name].windowSeconds * 1000);
  const ran = sql`${rateLimit.resetDate} <= ${now}`;
  return ctx.db
    .insert(rateLimit)
    .values({ key: limitKey(ctx, [name, subject]), count: weight, held: 0, resetDate })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${ran} THEN 0 ELSE ${rateLimit.count} END + excluded.count`,
        resetDate: sql`CASE WHEN ${ran} THEN excluded.reset_date ELSE ${rateLimit.resetDate} END`,
      },
    });
}

/** Counts an act only once per window, remembered under `seen`. @throws AppError TOO_MANY_REQUESTS */
export async function countLimitOnce(ctx: AppContext, seen: LimitEntry, counted: LimitEntry): Promise<void> {
  const [known] = await ctx.db
    .select({ key: rateLimit.key })
    .from(rateLimit)
    .where(sql`${limitsWhere(ctx, [seen])} AND ${rateLimit.resetDate} > ${ctx.now().getTime()}`);
  if (!known) await countLimits(ctx, seen, counted);
}

/** Limits how many different keys an address can test for membership. @throws AppError TOO_MANY_REQUESTS */
export async function countMemberLookup(ctx: AppContext, keyHash: string): Promise<void> {
  const seen: LimitEntry = ["lookupKeyAddress", `${keyHash}@${ctx.client.address}`];
  await countLimitOnce(ctx, seen, ["lookupAddress", ctx.client.address]);
}
