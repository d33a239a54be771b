import { and, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { refreshToken, session, user, userKey } from "#db/schema/account.ts";
import { columnsOf } from "#db/sql.ts";
import { hashPassword, needsRehash } from "#worker/adapters/password.server.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { refreshSessionInput, signinInput } from "#worker/contract/account/input.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless, isBatchAborted, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { pendingAgreementsStatement } from "./consent.server.ts";
import { hasSecondFactor, permissionsAt, sessionPersonColumns } from "../access/actor.server.ts";
import { tryPassword, tryUnknownKey, wrongPasswordError } from "../access/password-attempt.server.ts";
import {
  createTokenPair,
  endSession,
  isSessionAlive,
  newRefreshToken,
  newSession,
  withPendingAgreements,
} from "./session.server.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { queueOwnerMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer } from "../mail/render-template.server.ts";

/** @throws AppError INVALID_CREDENTIAL, NOT_FOUND, NOT_ACCEPTABLE, TOO_MANY_REQUESTS */
export async function signin(ctx: AppContext, input: Parsed<typeof signinInput>): Promise<TokenPair> {
  const [owner] = await ctx.db
    .select({
      ...columnsOf(user, "id", "userName", "userType", "status", "passwordHash"),
      roleCode: role.roleCode,
      roleName: role.roleName,
      permissions: permissionsAt(ctx.now()),
      hasSecondFactor: hasSecondFactor.as("has_second_factor"),
    })
    .from(userKey)
    .innerJoin(user, eq(user.id, userKey.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(and(eq(userKey.userKeyType, input.userKeyType), eq(userKey.userKeyCode, input.userKeyCode)));

  if (!owner) {
    await tryUnknownKey(ctx, input.password, "signin");
    throw new AppError("NOT_FOUND", { message: UI_MESSAGES.userNotFound });
  }
  const wrong = await tryPassword(ctx, { owner, password: input.password, action: "signin" });
  if (wrong) throw wrongPasswordError(wrong.remaining);
  if (owner.status !== "active") throw new AppError("NOT_ACCEPTABLE");

  const { statements, tokens } = await newSession(ctx, owner);
  const raised = needsRehash(owner.passwordHash, ctx.config.PASSWORD_PEPPER)
    ? { passwordHash: hashPassword(input.password, ctx.config.PASSWORD_PEPPER) }
    : null;
  // Guards against a password change or closed account during the comparison.
  const unchanged = sql`EXISTS (SELECT 1 FROM user WHERE id = ${owner.id} AND status = 'active' AND (password_hash = ${owner.passwordHash} OR ${raised ? 1 : 0}))`;
  const work = ctx.db.batch([
    abortBatchUnless(ctx, unchanged),
    pendingAgreementsStatement(ctx.db, owner.id),
    ...statements,
    ctx.db
      .update(user)
      .set({ lastSigninDate: ctx.now(), ...raised })
      .where(and(eq(user.id, owner.id), eq(user.passwordHash, owner.passwordHash))),
    audit(ctx, { action: "signin", actorUserId: owner.id, targetType: "user", targetId: owner.id }),
  ]);
  const [, pending] = await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("INVALID_CREDENTIAL") : cause;
  });
  const known = withPendingAgreements(tokens, pending);
  return owner.hasSecondFactor === 1 ? { ...known, secondFactor: "pending" } : known;
}

const refreshExpired = () => new AppError("UNAUTHORIZED", { message: UI_MESSAGES.refreshFailed });

/**
 * Trades a refresh token for a new pair. A used one works within 10 seconds or as a retry; else it ends the session.
 * @throws AppError UNAUTHORIZED, TOO_MANY_REQUESTS
 */
export async function refreshSession(ctx: AppContext, input: Parsed<typeof refreshSessionInput>): Promise<TokenPair> {
  const now = ctx.now();
  const hash = sha256Base64Url(input.refreshToken);
  const attemptHash = input.attempt === undefined ? "" : ctx.tokens.hash("refreshAttempt", input.attempt);
  const [row] = await ctx.db
    .select({
      ...sessionPersonColumns(now),
      tokenExpires: refreshToken.expiresDate,
      usable: sql<number>`${isUsable(attemptHash, now)}`,
    })
    .from(refreshToken)
    .innerJoin(session, eq(session.id, refreshToken.sessionId))
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(refreshToken.hash, hash));
  if (!row || row.tokenExpires <= now || !isSessionAlive(row, now)) throw refreshExpired();
  // Runs before the limit, or thirty quick refreshes would keep a stolen session alive.
  if (!row.usable) throw await usedTokenError(ctx, hash, row.sessionId, graceStart(now));
  await countLimits(ctx, ["refreshSession", row.sessionId]);

  const next = newRefreshToken(row.sessionId, now, row.createdDate);
  const { createdDate, expiresDate } = next.row;
  const [claimed, , , , pending] = await ctx.db.batch([
    claimStatement(ctx, hash, attemptHash, now),
    ctx.db
      .insert(refreshToken)
      .select(
        sql`SELECT ${next.row.hash}, ${row.sessionId}, ${createdDate.getTime()}, ${expiresDate.getTime()}, NULL, 0, ${hash}, NULL WHERE changes() > 0`,
      ),
    // Each refresh extends the session.
    ctx.db
      .update(session)
      .set({ expiresDate, lastUsedDate: now })
      .where(sql`${session.id} = ${row.sessionId} AND changes() > 0`),
    supersedeStatement(ctx, hash, next.row.hash, now),
    pendingAgreementsStatement(ctx.db, row.userId),
  ]);
  if (claimed.length === 0) throw await usedTokenError(ctx, hash, row.sessionId, graceStart(now));
  return withPendingAgreements(
    await createTokenPair(ctx, { ...row, id: row.userId }, row.sessionId, next.token, now),
    pending,
  );
}

const graceStart = (now: Date) => new Date(now.getTime() - TOKEN_LIMITS.reuseGraceSeconds * 1000);

/** Marks an unused token that a newer one replaced; its use means theft. */
const SUPERSEDED = 0;

const isAnswerLost = (attemptHash: string, now: Date) =>
  sql`(refresh_token.attempt_hash = ${attemptHash} AND refresh_token.used_date > ${now.getTime() - TOKEN_LIMITS.lostAnswerSeconds * 1000}
    AND NOT EXISTS (SELECT 1 FROM refresh_token AS next
      WHERE next.session_id = refresh_token.session_id AND next.parent_hash = refresh_token.hash AND next.used_date > ${SUPERSEDED}))`;

const isUsable = (attemptHash: string, now: Date) =>
  sql`(refresh_token.used_date IS NULL OR refresh_token.used_date > ${graceStart(now).getTime()} OR ${isAnswerLost(attemptHash, now)})`;

/** One request claims an unused token; a used one gets at most three siblings within the grace period. */
function claimStatement(ctx: AppContext, hash: string, attemptHash: string, now: Date) {
  return ctx.db
    .update(refreshToken)
    .set({
      usedDate: sql`coalesce(${refreshToken.usedDate}, ${now.getTime()})`,
      attemptHash: sql`CASE WHEN ${refreshToken.usedDate} IS NULL THEN ${attemptHash || null} ELSE ${refreshToken.attemptHash} END`,
      successorCount: sql`${refreshToken.successorCount} + 1`,
    })
    .where(
      and(
        eq(refreshToken.hash, hash),
        isUsable(attemptHash, now),
        sql`(${refreshToken.successorCount} < ${TOKEN_LIMITS.siblingsMax} OR ${isAnswerLost(attemptHash, now)})`,
        sql`EXISTS (SELECT 1 FROM session WHERE id = ${refreshToken.sessionId} AND revoked_date IS NULL)`,
      ),
    )
    .returning({ hash: refreshToken.hash });
}

function supersedeStatement(ctx: AppContext, hash: string, nextHash: string, now: Date) {
  return ctx.db
    .update(refreshToken)
    .set({ usedDate: new Date(SUPERSEDED) })
    .where(
      sql`session_id = (SELECT session_id FROM refresh_token WHERE hash = ${nextHash}) AND parent_hash = ${hash} AND hash <> ${nextHash}
        AND used_date IS NULL
        AND EXISTS (SELECT 1 FROM refresh_token AS used WHERE used.hash = ${hash} AND used.used_date <= ${graceStart(now).getTime()})`,
    );
}

/** Parallel tabs are asked to retry; a token used before the grace period was stolen. */
async function usedTokenError(ctx: AppContext, hash: string, sessionId: string, grace: Date): Promise<AppError> {
  const [token] = await ctx.db
    .select({ usedDate: refreshToken.usedDate })
    .from(refreshToken)
    .where(eq(refreshToken.hash, hash));
  if (token?.usedDate && token.usedDate > grace) return new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 1 });
  const [ended] = await endSession(ctx, sessionId, "refresh token used again");
  if (!ended) return refreshExpired();
  const { userId } = ended;
  const write = await loadLetterRenderer(ctx, userId);
  const queued = queueOwnerMessage(ctx, userId, await userKeysStatement(ctx, userId), write("sessionStolen", {}));
  await runGuardedBatch(
    ctx,
    [],
    [audit(ctx, { action: "session.reuse", actorUserId: userId, targetType: "session", targetId: sessionId }), queued],
  );
  return refreshExpired();
}
