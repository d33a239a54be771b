import { and, eq, lt, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { refreshToken, session, user } from "#db/schema/account.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/limits.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { pendingAgreementsStatement } from "./consent.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { userKeysStatement, queueOwnerMessage } from "./owner-message.server.ts";
import {
  endSession,
  isSessionAlive,
  newRefreshToken,
  createTokenPair,
  withPendingAgreements,
} from "./session.server.ts";
import { sessionPersonColumns } from "../access/actor.server.ts";

const refreshExpired = () => new AppError("UNAUTHORIZED", { message: UI_MESSAGES.refreshFailed });

/**
 * Trades a refresh token for a new pair. A used one is good for another tab within 10 seconds; after that it ends the session.
 * @throws AppError UNAUTHORIZED, TOO_MANY_REQUESTS
 */
export async function refreshSession(ctx: AppContext, input: { refreshToken: string }): Promise<TokenPair> {
  const now = ctx.now();
  const hash = sha256Base64Url(input.refreshToken);
  const [row] = await ctx.db
    .select({ ...sessionPersonColumns(now), tokenExpires: refreshToken.expiresDate })
    .from(refreshToken)
    .innerJoin(session, eq(session.id, refreshToken.sessionId))
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(refreshToken.hash, hash));
  if (!row || row.tokenExpires <= now || !isSessionAlive(row, now)) throw refreshExpired();
  await countLimits(ctx, ["refreshSession", row.sessionId]);

  const next = newRefreshToken(row.sessionId, now);
  const { createdDate, expiresDate } = next.row;
  const [claimed, , , pending] = await ctx.db.batch([
    claimStatement(ctx, hash, now),
    ctx.db
      .insert(refreshToken)
      .select(
        sql`SELECT ${next.row.hash}, ${row.sessionId}, ${createdDate.getTime()}, ${expiresDate.getTime()}, NULL, 0 WHERE changes() > 0`,
      ),
    // Sessions live as long as they are used: the last refresh moves the end.
    ctx.db
      .update(session)
      .set({ expiresDate, lastUsedDate: now })
      .where(sql`${session.id} = ${row.sessionId} AND changes() > 0`),
    pendingAgreementsStatement(ctx.db, row.userId),
  ]);
  if (claimed.length === 0) throw await usedTokenError(ctx, hash, row.sessionId, graceStart(now));
  return withPendingAgreements(
    await createTokenPair(ctx, { ...row, id: row.userId }, row.sessionId, next.token, now),
    pending,
  );
}

const graceStart = (now: Date) => new Date(now.getTime() - TOKEN_LIMITS.reuseGraceSeconds * 1000);

/** One winner for an unused token of a live session; a used one has at most three siblings inside the grace. */
function claimStatement(ctx: AppContext, hash: string, now: Date) {
  return ctx.db
    .update(refreshToken)
    .set({
      usedDate: sql`coalesce(${refreshToken.usedDate}, ${now.getTime()})`,
      successorCount: sql`${refreshToken.successorCount} + 1`,
    })
    .where(
      and(
        eq(refreshToken.hash, hash),
        lt(refreshToken.successorCount, TOKEN_LIMITS.siblingsMax),
        sql`(${refreshToken.usedDate} IS NULL OR ${refreshToken.usedDate} > ${graceStart(now).getTime()})`,
        sql`EXISTS (SELECT 1 FROM session WHERE id = ${refreshToken.sessionId} AND revoked_date IS NULL)`,
      ),
    )
    .returning({ hash: refreshToken.hash });
}

/** A crowd of tabs is asked to wait for the token that one of them got; a token from before the grace was stolen. */
async function usedTokenError(ctx: AppContext, hash: string, sessionId: string, grace: Date): Promise<AppError> {
  const [token] = await ctx.db
    .select({ usedDate: refreshToken.usedDate })
    .from(refreshToken)
    .where(eq(refreshToken.hash, hash));
  if (token?.usedDate && token.usedDate > grace) return new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 1 });
  const [ended] = await endSession(ctx, sessionId, "refresh token used again");
  if (!ended) return refreshExpired();
  const { userId } = ended;
  const write = await loadTemplateRenderer(ctx);
  const letter = queueOwnerMessage(ctx, userId, await userKeysStatement(ctx, userId), write("sessionStolen", {}));
  await ctx.db.batch([
    audit(ctx, { action: "session.reuse", actorUserId: userId, targetType: "session", targetId: sessionId }),
    ...(letter ? [letter.statement] : []),
  ]);
  if (letter) deliverMessageSoon(ctx, letter.id);
  return refreshExpired();
}
