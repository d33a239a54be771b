import { and, isNotNull, lt, or } from "drizzle-orm";
import { boardItemView, rateLimit, refreshToken, session, verification } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { DAY_MS } from "#worker/contract/limits.ts";

/** Removes what has run out and serves nobody any more. */
export async function sweepExpired(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const now = ctx.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await ctx.db.batch([
    ctx.db.delete(rateLimit).where(lt(rateLimit.resetDate, now)),
    ctx.db.delete(verification).where(lt(verification.expiresDate, dayAgo)),
    ctx.db.delete(boardItemView).where(lt(boardItemView.day, dayAgo.toISOString().slice(0, 10))),
    // A used refresh token is kept until it would have run out anyway: it is how a stolen one is noticed.
    ctx.db.delete(refreshToken).where(lt(refreshToken.expiresDate, dayAgo)),
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
