import { inArray, sql } from "drizzle-orm";
import { rateLimit } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitName } from "#worker/contract/kernel/limits.ts";
import { storedLimitSettings } from "#worker/contract/kernel/limit-input.ts";
import {
  DEFAULT_LIMIT_SETTINGS,
  type EditableLimitName,
  LIMIT_RULES,
  limitOfSetting,
  type LimitSettings,
} from "#worker/contract/kernel/limit-rules.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";

/** `weight` is how much one act counts, 1 unless told; with 0 a place must be free, but none is taken. `max` lowers the limit. */
export type LimitEntry = readonly [name: RateLimitName, subject: string, weight?: number, max?: number];
type LimitEntries = readonly [LimitEntry, ...LimitEntry[]];

const parsedLimits = new WeakMap<AppContext["storedSettings"], LimitSettings>();

/** What a limit lets through here: as the office set it, else as a site starts; parsed once a request. */
export function rateLimitOf(ctx: Pick<AppContext, "storedSettings">, name: RateLimitName): RateLimit {
  if (!(name in LIMIT_RULES)) return RATE_LIMITS[name];
  let limits = parsedLimits.get(ctx.storedSettings);
  if (!limits) {
    const text = ctx.storedSettings.limits;
    limits = storedLimitSettings.catch(DEFAULT_LIMIT_SETTINGS).parse(JSON.parse(text ?? "{}"));
    parsedLimits.set(ctx.storedSettings, limits);
  }
  const editable = name as EditableLimitName;
  return limitOfSetting(editable, limits[editable]);
}

/** How much an entry lets through. */
export const limitMax = (ctx: AppContext, [name, , , max = Infinity]: LimitEntry): number =>
  Math.min(rateLimitOf(ctx, name).max, max);

const RESERVATION_POLL_MS = 250;
const RESERVATION_POLLS = 60;

export const limitKey = (ctx: AppContext, [name, subject]: LimitEntry) =>
  ctx.tokens.hash("limit", `${name}\n${subject}`);
const limitKeys = (ctx: AppContext, entries: readonly LimitEntry[]) => entries.map((entry) => limitKey(ctx, entry));
export const limitsWhere = (ctx: AppContext, entries: readonly LimitEntry[]) =>
  inArray(rateLimit.key, limitKeys(ctx, entries));

/**
 * Counts one act against all limits, or against none when one of them is used up; parallel calls are counted exactly.
 * @returns how much is counted now, this act included
 * @throws AppError TOO_MANY_REQUESTS with the longest wait
 */
export async function countLimits(ctx: AppContext, ...entries: LimitEntries): Promise<(entry: LimitEntry) => number> {
  const { taken, usedUp, rows } = await takePlaces(ctx, entries, "count");
  if (!taken) throw tooManyRequests(ctx, usedUp);
  return (entry) => rows.find((row) => row.key === limitKey(ctx, entry))?.count ?? 0;
}

/**
 * Takes a place for a try that counts only if it fails. While other tries hold the places it waits for their outcome.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function reserveAttempt(ctx: AppContext, ...entries: LimitEntries): Promise<void> {
  for (let poll = 0; ; poll += 1) {
    const { taken, failed } = await takePlaces(ctx, entries, "held");
    if (taken) return;
    if (failed.length > 0) throw tooManyRequests(ctx, failed);
    if (poll >= RESERVATION_POLLS) throw tooManyRequests(ctx, []);
    await new Promise((resolve) => setTimeout(resolve, RESERVATION_POLL_MS));
  }
}

/**
 * Counts one act within a batch that does it, behind what it reads, so that it costs no trip of its own. Whatever is read
 * has to hang on `isFree`, or a used up limit would cost as much as one that is not.
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

async function takePlaces(ctx: AppContext, entries: LimitEntries, column: "count" | "held") {
  const { statements, judge } = placeStatements(ctx, entries, column);
  return judge(...(await ctx.db.batch(statements)));
}

/** One statement takes every place or none, so that a refused act uses up nothing. */
function placeStatements(ctx: AppContext, entries: LimitEntries, column: "count" | "held") {
  const now = ctx.now().getTime();
  const keys = limitKeys(ctx, entries);
  const asked = JSON.stringify(
    entries.map((entry, at) => {
      const [name, , weight = 1] = entry;
      const reset = now + rateLimitOf(ctx, name).windowSeconds * 1000;
      return { key: keys[at], weight, max: limitMax(ctx, entry), reset };
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
        return row.resetDate.getTime() > now && used(row) + Math.max(entry[2] ?? 1, 1) > limitMax(ctx, entry);
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

/** The statement that turns held places into failures. @returns by key how many there are now */
export function failAttemptStatement(ctx: AppContext, entries: readonly LimitEntry[]) {
  return ctx.db
    .update(rateLimit)
    .set({ held: sql`max(0, ${rateLimit.held} - 1)`, count: sql`${rateLimit.count} + 1` })
    .where(limitsWhere(ctx, entries))
    .returning();
}

/** The statement that frees the places of a try that did not fail. */
export function releaseAttemptStatement(ctx: AppContext, entries: readonly LimitEntry[]) {
  return ctx.db
    .update(rateLimit)
    .set({ held: sql`max(0, ${rateLimit.held} - 1)` })
    .where(limitsWhere(ctx, entries));
}

/** Gives back what was counted for an act that did not take place. */
export async function refundLimits(ctx: AppContext, ...entries: LimitEntry[]): Promise<void> {
  await ctx.db
    .update(rateLimit)
    .set({ count: sql`max(0, ${rateLimit.count} - 1)` })
    .where(limitsWhere(ctx, entries));
}

/** Counts an act and does it; one that comes to nothing is given back. @throws AppError TOO_MANY_REQUESTS, and what the act throws */
export async function actWithinLimit<T>(ctx: AppContext, entry: LimitEntry, act: () => Promise<T>): Promise<T> {
  await countLimits(ctx, entry);
  try {
    return await act();
  } catch (error) {
    await refundLimits(ctx, entry);
    throw error;
  }
}

/** Refuses where nothing is left and counts nothing: for what is counted by what it came to. @throws AppError TOO_MANY_REQUESTS */
export async function requireLimitRoom(ctx: AppContext, entry: LimitEntry): Promise<void> {
  const { usedUp } = await takePlaces(ctx, [[entry[0], entry[1], 0]], "count");
  if (usedUp.length > 0) throw tooManyRequests(ctx, usedUp);
}

/** Is the limit used up? Counts nothing. */
export async function isLimitUsedUp(ctx: AppContext, entry: LimitEntry): Promise<boolean> {
  const [row] = await ctx.db
    .select()
    .from(rateLimit)
    .where(limitsWhere(ctx, [entry]));
  return row !== undefined && row.resetDate > ctx.now() && row.count >= limitMax(ctx, entry);
}

/** The statement that counts what an act came to, be it more than was left: whatever follows waits. */
export function chargeLimit(ctx: AppContext, [name, subject, weight = 1]: LimitEntry) {
  const now = ctx.now().getTime();
  const resetDate = new Date(now + rateLimitOf(ctx, name).windowSeconds * 1000);
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

/** Counts an act for the first time in its window alone: what was counted under `seen` already costs nothing more. @throws AppError TOO_MANY_REQUESTS */
export async function countLimitOnce(ctx: AppContext, seen: LimitEntry, counted: LimitEntry): Promise<void> {
  const [known] = await ctx.db
    .select({ key: rateLimit.key })
    .from(rateLimit)
    .where(sql`${limitsWhere(ctx, [seen])} AND ${rateLimit.resetDate} > ${ctx.now().getTime()}`);
  if (!known) await countLimits(ctx, seen, counted);
}

/** A key that tells whether somebody is a member: each one asked for anew counts for the address. @throws AppError TOO_MANY_REQUESTS */
export async function countMemberLookup(ctx: AppContext, keyHash: string): Promise<void> {
  const seen: LimitEntry = ["lookupKeyAddress", `${keyHash}@${ctx.client.address}`];
  await countLimitOnce(ctx, seen, ["lookupAddress", ctx.client.address]);
}
