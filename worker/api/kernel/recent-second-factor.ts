import type { MiddlewareHandler } from "hono";
import { requireRecentSecondFactor } from "#worker/domain/kernel/recent-proof.server.ts";
import { type ApiEnv, openContext } from "./http.ts";

/** Stands first at a route whose act cannot be taken back, or takes much away: the second factor is asked for again. */
export const recentSecondFactor: MiddlewareHandler<ApiEnv> = async (c, next) => {
  requireRecentSecondFactor(await openContext(c));
  await next();
};
