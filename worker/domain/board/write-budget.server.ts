import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type BoardResource, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { actWithinLimit } from "../kernel/limit.server.ts";

/**
 * Writes within what a member may write in an hour; who manages the board is not counted, nor what came to nothing.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function writeWithinBudget<T>(
  ctx: AppContext,
  name: "itemHour" | "commentHour",
  board: BoardResource,
  write: () => Promise<T>,
): Promise<T> {
  if (can(ctx.actor, { action: "Board.Manage", board })) return write();
  return actWithinLimit(ctx, [name, requireSignedIn(ctx).userId], write);
}
