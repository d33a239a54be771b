import type { AppContext, SignedInActor } from "#worker/domain/kernel/context.ts";
import { secondFactorError } from "#worker/contract/kernel/second-factor.ts";
import { requireSignedIn } from "./authorize.server.ts";

const RECENT_MS = 5 * 60_000;

type ProofContext = Pick<AppContext, "actor" | "now">;

/**
 * Guards an irreversible act: a second factor was shown within five minutes. Guests need only the act's own
 * authorisation. @throws AppError FORBIDDEN with the reason
 */
export function requireRecentSecondFactor(ctx: ProofContext): void {
  const { actor } = ctx;
  if (actor.kind === "guest") {
    if (actor.pending) throw secondFactorError("SECOND_FACTOR_REQUIRED");
    return;
  }
  if (actor.secondFactor?.withheld) throw secondFactorError("SECOND_FACTOR_SETUP");
  if (actor.secondFactor?.hasFactor && !isRecentlyProven(ctx, actor)) throw secondFactorError("SECOND_FACTOR_REQUIRED");
}

/**
 * Guards a change of one's own second factor; accounts without one prove their password. @throws AppError UNAUTHORIZED,
 * FORBIDDEN with the reason
 */
export function requireRecentIdentity(ctx: ProofContext): SignedInActor {
  const actor = requireSignedIn(ctx);
  if (!isRecentlyProven(ctx, actor)) throw secondFactorError("SECOND_FACTOR_REQUIRED");
  return actor;
}

function isRecentlyProven(ctx: ProofContext, actor: SignedInActor): boolean {
  const proven = actor.secondFactor?.provenDate;
  return !!proven && ctx.now().getTime() - proven.getTime() < RECENT_MS;
}
