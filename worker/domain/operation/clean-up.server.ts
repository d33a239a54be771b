import { and, gt, isNotNull, lt, or, sql } from "drizzle-orm";
import { refreshToken, secondFactorChallenge, session, verification } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { idempotentAnswer, rateLimit } from "#db/schema/kernel.ts";
import { mailReport, message } from "#db/schema/mail.ts";
import { cleanUpActivity } from "../mail/activity.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";

/** Covers a form left open over a weekend. */
const KEPT_ANSWER_DAYS = 7;

export async function cleanUpExpired(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const now = ctx.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await ctx.db.batch([
    // No limit runs longer than a day: a later end was set by a fast clock.
    ctx.db
      .delete(rateLimit)
      .where(or(lt(rateLimit.resetDate, now), gt(rateLimit.resetDate, new Date(now.getTime() + DAY_MS + HOUR_MS)))),
    ctx.db
      .delete(idempotentAnswer)
      .where(lt(idempotentAnswer.createdDate, new Date(now.getTime() - KEPT_ANSWER_DAYS * DAY_MS))),
    ctx.db
      .update(message)
      .set({
        pincode: null,
        subject: sql`replace(${message.subject}, ${message.pincode}, '******')`,
        body: sql`replace(${message.body}, ${message.pincode}, '******')`,
      })
      .where(and(isNotNull(message.pincode), lt(message.createdDate, dayAgo))),
    ctx.db.delete(secondFactorChallenge).where(lt(secondFactorChallenge.expiresDate, now)),
    // Signatures expire after five minutes, so older reports cannot be replayed.
    ctx.db.delete(mailReport).where(lt(mailReport.createdDate, dayAgo)),
    ctx.db.delete(verification).where(lt(verification.expiresDate, dayAgo)),
    ctx.db.delete(boardItemView).where(lt(boardItemView.day, dayAgo.toISOString().slice(0, 10))),
    // Used refresh tokens stay until they expire, to detect stolen ones.
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
