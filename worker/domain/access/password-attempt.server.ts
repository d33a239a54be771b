import type { FailingAct } from "#worker/contract/kernel/audit-actions.ts";
import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { peppersOf, verifyPassword } from "#worker/adapters/password.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { DAY_MS, RATE_LIMITS, SIGNIN_LIMITS } from "#worker/contract/kernel/limits.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { CONSOLE_ENTRY_REASON, type ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";
import { authorizeAccounts } from "./account-authority.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import {
  chargeLimit,
  countLimits,
  failAttemptStatement,
  isLimitUsedUp,
  type LimitEntry,
  limitKey,
  limitMax,
  limitsWhere,
  releaseAttemptStatement,
  reserveAttempt,
} from "../kernel/limit.server.ts";
import { queueOwnerMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer } from "../mail/render-template.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";

export interface PasswordAttempt {
  owner: { id: string; passwordHash: string };
  password: string;
  action: FailingAct;
}

const failureEntry = (subject: string, address: string, max?: number): LimitEntry => [
  "signinFailureKeyAddress",
  `${subject}@${address}`,
  1,
  max,
];
const lockoutEntry = (subject: string, address: string): LimitEntry => ["signinStrike", `${subject}@${address}`];
const accountSubject = (userId: string) => `user:${userId}`;

const addressEntry = (ctx: AppContext): LimitEntry => ["signinFailureAddress", ctx.client.address];

const UNKNOWN_KEYS: LimitEntry = ["signinUnknownSite", "site"];

/**
 * Costs as much as a wrong password, and logs only the 1st, 10th, 100th try of an hour. @throws AppError
 * TOO_MANY_REQUESTS
 */
export async function tryUnknownKey(ctx: AppContext, password: string, action: FailingAct): Promise<void> {
  // Waits for the database as often as a known key, so that timing reveals nothing.
  await isLimitUsedUp(ctx, addressEntry(ctx));
  const counted = await countLimits(ctx, ["lookupAddress", ctx.client.address], UNKNOWN_KEYS);
  verifyPassword(password, "", peppersOf(ctx.config));
  const count = counted(UNKNOWN_KEYS);
  if (!/^10*$/.test(String(count))) return;
  await audit(ctx, {
    action: `${action}.failed`,
    targetType: "user",
    detail: count === 1 ? { cause: "unknown" } : { cause: "unknown", count },
  });
}

/**
 * Compares a password. Only failures count, but each try is reserved before the hash, so that parallel guesses stay
 * limited. @returns the tries left after a wrong one, null for a right one @throws AppError TOO_MANY_REQUESTS
 */
export async function tryPassword(ctx: AppContext, attempt: PasswordAttempt): Promise<null | { remaining: number }> {
  const { owner } = attempt;
  const subject = accountSubject(owner.id);
  const atAddress = addressEntry(ctx);
  const isCrowded = await isLimitUsedUp(ctx, atAddress);
  const pair = failureEntry(subject, ctx.client.address, isCrowded ? SIGNIN_LIMITS.crowdedTries : undefined);
  const byKey: LimitEntry = ["signinFailureKey", subject];
  await reserveAttempt(ctx, pair, byKey);
  if (verifyPassword(attempt.password, owner.passwordHash, peppersOf(ctx.config))) {
    await ctx.db.batch([
      ctx.db.delete(rateLimit).where(limitsWhere(ctx, [pair, lockoutEntry(subject, ctx.client.address)])),
      releaseAttemptStatement(ctx, [byKey]),
    ]);
    return null;
  }
  const [failures] = await ctx.db.batch([
    failAttemptStatement(ctx, [pair, byKey]),
    chargeLimit(ctx, atAddress),
    audit(ctx, {
      action: `${attempt.action}.failed`,
      targetType: "user",
      targetId: owner.id,
      detail: { cause: "password" },
    }),
  ]);
  const count = (entry: LimitEntry) => failures.find((row) => row.key === limitKey(ctx, entry))?.count ?? 0;
  const left = (entry: LimitEntry) => Math.max(0, limitMax(entry) - count(entry));
  if (left(pair) === 0) await lengthenWait(ctx, subject, pair);
  if (count(byKey) === SIGNIN_LIMITS.warnAfterFailures) await warnOwner(ctx, owner.id);
  return { remaining: Math.min(left(pair), left(byKey)) };
}

/** The wait starts at the last allowed failure and doubles each time within a day. */
async function lengthenWait(ctx: AppContext, subject: string, pair: LimitEntry): Promise<void> {
  const now = ctx.now().getTime();
  const strike = lockoutEntry(subject, ctx.client.address);
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
  const waitSeconds = Math.min(doubled, SIGNIN_LIMITS.longestWaitSeconds);
  await ctx.db
    .update(rateLimit)
    .set({ resetDate: new Date(now + waitSeconds * 1000) })
    .where(limitsWhere(ctx, [pair]));
}

async function warnOwner(ctx: AppContext, userId: string): Promise<void> {
  const write = await loadLetterRenderer(ctx, userId);
  const queued = queueOwnerMessage(ctx, userId, await userKeysStatement(ctx, userId), write("signinFailures", {}));
  await runGuardedBatch(ctx, [], [queued]);
}

export function signinLimitsOf(ctx: AppContext, userId: string): LimitEntry[] {
  const subject = accountSubject(userId);
  return [
    failureEntry(subject, ctx.client.address),
    lockoutEntry(subject, ctx.client.address),
    ["signinFailureKey", subject],
  ];
}

/** Lifts the waits of an account from every address. @throws AppError FORBIDDEN, UNAUTHORIZED, NOT_FOUND */
export async function unlockSignin(ctx: AppContext, userId: string): Promise<Record<string, never>> {
  authorize(ctx, { action: "ADMIN_Access" });
  await authorizeAccounts(ctx, [userId]);
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
  const keys = places.flatMap(({ address }) => [failureEntry(subject, address), lockoutEntry(subject, address)]);
  keys.push(["signinFailureKey", subject]);
  const hashes = JSON.stringify(keys.map((entry) => limitKey(ctx, entry)));
  await ctx.db.batch([
    ctx.db.delete(rateLimit).where(sql`${rateLimit.key} IN (SELECT value FROM json_each(${hashes}))`),
    audit(ctx, { action: "member.unlock", targetType: "user", targetId: userId, subjectCount: 1 }),
  ]);
  return {};
}

/** Reports the remaining tries, so that no one is locked out without a warning. */
export function wrongPasswordError(remaining: number, message: string = ERRORS.INVALID_CREDENTIAL.message): AppError {
  const told = remaining <= SIGNIN_LIMITS.toldRemaining ? { data: { remaining } } : {};
  return new AppError("INVALID_CREDENTIAL", { message, ...told });
}

/**
 * Asks for the password again, rate-limited like a sign-in. A wrong one is INVALID_CREDENTIAL. @returns the stored
 * hash, which guards the change
 */
export async function confirmPassword(ctx: AppContext, password: string, action: FailingAct): Promise<string> {
  const me = requireSignedIn(ctx);
  const [row] = await ctx.db.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, me.userId));
  if (!row) throw new AppError("UNAUTHORIZED");
  const owner = { id: me.userId, passwordHash: row.passwordHash };
  const wrong = await tryPassword(ctx, { owner, password, action });
  if (wrong) throw wrongPasswordError(wrong.remaining, UI_MESSAGES.passwordWrong);
  return row.passwordHash;
}

/**
 * Requires a reason and the password before console access is granted. @throws AppError INVALID_INPUT with the missing
 * field, INVALID_CREDENTIAL
 */
export async function confirmConsoleEntry(ctx: AppContext, { reason, password }: ConsoleEntryProof): Promise<void> {
  if (!reason || !password)
    throw new AppError("INVALID_INPUT", {
      message: "관리 화면 권한을 주려면 사유와 비밀번호를 입력해 주십시오.",
      fields: {
        ...(reason ? {} : { reason: "사유를 입력해 주십시오." }),
        ...(password ? {} : { password: "비밀번호를 입력해 주십시오." }),
      },
      data: { reason: CONSOLE_ENTRY_REASON },
    });
  await confirmPassword(ctx, password, "second-factor.password");
}
