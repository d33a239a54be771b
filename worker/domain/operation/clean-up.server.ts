import { and, isNotNull, lt, or, sql } from "drizzle-orm";
import { refreshToken, secondFactorChallenge, session, verification } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { keptAnswer, rateLimit } from "#db/schema/kernel.ts";
import { message } from "#db/schema/mail.ts";
import { cleanUpActivity } from "../mail/activity.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";

/** A form that was left open over a weekend is still sent once. */
const KEPT_ANSWER_DAYS = 7;

/** Removes what has run out and serves nobody any more. */
export async function cleanUpExpired(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const now = ctx.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await ctx.db.batch([
    ctx.db.delete(rateLimit).where(lt(rateLimit.resetDate, now)),
    ctx.db.delete(keptAnswer).where(lt(keptAnswer.createdDate, new Date(now.getTime() - KEPT_ANSWER_DAYS * DAY_MS))),
    // A code has long run out; what is kept tells that one was sent, not which.
    ctx.db
      .update(message)
      .set({
        pincode: null,
        subject: sql`replace(${message.subject}, ${message.pincode}, '******')`,
        body: sql`replace(${message.body}, ${message.pincode}, '******')`,
      })
      .where(and(isNotNull(message.pincode), lt(message.createdDate, dayAgo))),
    ctx.db.delete(secondFactorChallenge).where(lt(secondFactorChallenge.expiresDate, now)),
    ctx.db.delete(verification).where(lt(verification.expiresDate, dayAgo)),
    ctx.db.delete(boardItemView).where(lt(boardItemView.day, dayAgo.toISOString().slice(0, 10))),
    // A used refresh token is kept until it would have run out anyway: it is how a stolen one is noticed.
    ctx.db.delete(refreshToken).where(lt(refreshToken.expiresDate, dayAgo)),
    cleanUpActivity(ctx),
  ]);
  await ctx.db
    .delete(session)
    .where(
      or(
        lt(session.expiresDate, dayAgo),
        and(isNotNull(session.revokedDate), lt(session.revokedDate, new Date(now.getTime() - 15 * DAY_MS))),
      ),
    );
}
