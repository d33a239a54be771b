import { eq, sql } from "drizzle-orm";
import { auditLog, rateLimit, user } from "#db/schema.ts";
import { verifyPassword } from "#worker/adapters/password.server.ts";
import type { AppContext } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import { DAY_MS, RATE_LIMITS, SIGNIN } from "#worker/contract/limits.ts";
import { MESSAGES } from "#worker/contract/messages.ts";
import { WIDEST_RULES } from "#worker/contract/user-rules.ts";
import { permit, signedIn } from "../access.server.ts";
import { audit } from "../audit.server.ts";
import { failTry, holdTry, type LimitEntry, limitKey, limitsWhere, releaseTry } from "../limit.server.ts";
import { deliverSoon } from "../message.server.ts";
import { wording } from "../mail/wording.server.ts";
import { keysStatement, ownersLetter } from "./letters.server.ts";

export interface PasswordAttempt {
  /** Whose password; null for a key that nobody has, which costs the same. */
  owner: { id: string; passwordHash: string } | null;
  /** What an attempt on a key that nobody has is counted under. */
  unknownKey: string;
  password: string;
  /** For the audit log. */
  act: string;
}

const pairOf = (subject: string, address: string): LimitEntry => ["signinFailureKeyAddress", `${subject}@${address}`];
const strikeOf = (subject: string, address: string): LimitEntry => ["signinStrike", `${subject}@${address}`];
const accountSubject = (userId: string) => `user:${userId}`;

/**
 * Compares a password. Failures alone count, but each try takes its place before the hash, so that parallel guesses are exactly as many as the limit.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function tryPassword(ctx: AppContext, attempt: PasswordAttempt): Promise<boolean> {
  const { owner } = attempt;
  const subject = owner ? accountSubject(owner.id) : attempt.unknownKey;
  const pair = pairOf(subject, ctx.client.address);
  const byKey: LimitEntry = ["signinFailureKey", subject];
  const wide: LimitEntry[] = [byKey, ["signinFailureAddress", ctx.client.address]];
  await holdTry(ctx, pair, ...wide);
  // A password longer than any we accept costs the same as a wrong one.
  const password = attempt.password.slice(0, WIDEST_RULES.password.max + 1);
  if (verifyPassword(password, owner?.passwordHash ?? "", ctx.config.PASSWORD_PEPPER)) {
    await ctx.db.batch([
      ctx.db.delete(rateLimit).where(limitsWhere(ctx, [pair, strikeOf(subject, ctx.client.address)])),
      releaseTry(ctx, wide),
    ]);
    return true;
  }
  const [failures] = await ctx.db.batch([
    failTry(ctx, [pair, ...wide]),
    audit(ctx, {
      action: `${attempt.act}.failed`,
      targetType: "user",
      targetId: owner?.id ?? "",
      detail: { cause: owner ? "password" : "unknown" },
    }),
  ]);
  const count = (entry: LimitEntry) => failures.find((row) => row.key === limitKey(ctx, entry))?.count ?? 0;
  if (count(pair) >= RATE_LIMITS.signinFailureKeyAddress.max) await lengthenWait(ctx, subject, pair);
  if (owner && count(byKey) === SIGNIN.warnAfterFailures) await warnOwner(ctx, owner.id);
  return false;
}

/** The wait starts with the failure that used up the tries, and doubles each time within a day. */
async function lengthenWait(ctx: AppContext, subject: string, pair: LimitEntry): Promise<void> {
  const now = ctx.now().getTime();
  const strike = strikeOf(subject, ctx.client.address);
  const dayEnd = new Date(now + RATE_LIMITS.signinStrike.windowSeconds * 1000);
  const [rows] = await ctx.db.batch([
    ctx.db
      .insert(rateLimit)
      .values({ key: limitKey(ctx, strike), count: 1, resetDate: dayEnd })
      .onConflictDoUpdate({
        target: rateLimit.key,
        set: {
          count: sql`CASE WHEN ${rateLimit.resetDate} <= ${now} THEN 1 ELSE ${rateLimit.count} + 1 END`,
          resetDate: dayEnd,
        },
      })
      .returning(),
  ]);
  const doubled = RATE_LIMITS.signinFailureKeyAddress.windowSeconds * 2 ** ((rows[0]?.count ?? 1) - 1);
  const waitSeconds = Math.min(doubled, SIGNIN.longestWaitSeconds);
  await ctx.db
    .update(rateLimit)
    .set({ resetDate: new Date(now + waitSeconds * 1000) })
    .where(limitsWhere(ctx, [pair]));
}

async function warnOwner(ctx: AppContext, userId: string): Promise<void> {
  const write = await wording(ctx);
  const letter = ownersLetter(ctx, userId, await keysStatement(ctx, userId), write("signinFailures", {}));
  if (!letter) return;
  await letter.statement;
  deliverSoon(ctx, letter.id);
}

/** The limits of one account at this address, which a new password makes pointless. */
export function accountLimits(ctx: AppContext, userId: string): LimitEntry[] {
  const subject = accountSubject(userId);
  return [pairOf(subject, ctx.client.address), strikeOf(subject, ctx.client.address), ["signinFailureKey", subject]];
}

/**
 * Lifts the waits of an account, wherever its failures came from.
 * @throws AppError FORBIDDEN, UNAUTHORIZED, NOT_FOUND
 */
export async function unlockSignin(ctx: AppContext, userId: string): Promise<Record<string, never>> {
  permit(ctx, { action: "ADMIN_Access" });
  const since = ctx.now().getTime() - 2 * DAY_MS;
  const [people, places] = await ctx.db.batch([
    ctx.db.select({ status: user.status }).from(user).where(eq(user.id, userId)),
    ctx.db
      .selectDistinct({ address: auditLog.address })
      .from(auditLog)
      .where(
        sql`${auditLog.createdDate} > ${since} AND ${auditLog.targetId} = ${userId} AND ${auditLog.action} LIKE '%.failed'`,
      ),
  ]);
  if (!people[0] || people[0].status === "retired") throw new AppError("NOT_FOUND");
  const subject = accountSubject(userId);
  const keys = places.flatMap(({ address }) => [pairOf(subject, address), strikeOf(subject, address)]);
  keys.push(["signinFailureKey", subject]);
  const hashes = JSON.stringify(keys.map((entry) => limitKey(ctx, entry)));
  await ctx.db.batch([
    ctx.db.delete(rateLimit).where(sql`${rateLimit.key} IN (SELECT value FROM json_each(${hashes}))`),
    audit(ctx, { action: "member.unlock", targetType: "user", targetId: userId, subjectCount: 1 }),
  ]);
  return {};
}

/**
 * The signed-in person's password once more, counted like a sign-in. A wrong one is INVALID_CREDENTIAL.
 * @returns the stored hash, to guard the change by
 */
export async function confirmPassword(ctx: AppContext, password: string, act: string): Promise<string> {
  const me = signedIn(ctx);
  const [row] = await ctx.db.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, me.userId));
  if (!row) throw new AppError("UNAUTHORIZED");
  const owner = { id: me.userId, passwordHash: row.passwordHash };
  if (!(await tryPassword(ctx, { owner, unknownKey: "", password, act })))
    throw new AppError("INVALID_CREDENTIAL", { message: MESSAGES.passwordWrong });
  return row.passwordHash;
}
