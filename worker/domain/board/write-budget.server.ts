import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type BoardResource, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { actWithinLimit } from "../kernel/limit.server.ts";

/** Limits a member's writes per hour; managers and failed writes are not counted. @throws AppError TOO_MANY_REQUESTS */
export async function writeWithinBudget<T>(
  ctx: AppContext,
  name: "itemHour" | "commentHour",
  board: BoardResource,
  write: () => Promise<T>,
): Promise<T> {
  if (can(ctx.actor, { action: "Board.Manage", board })) return write();
  return actWithinLimit(ctx, [name, requireSignedIn(ctx).userId], write);
}
