import type { MiddlewareHandler } from "hono";
import { requireRecentSecondFactor } from "#worker/domain/kernel/recent-proof.server.ts";
import { type ApiEnv, openContext } from "./http.ts";

/** Asks for the second factor again before an irreversible or far-reaching action. */
export const recentSecondFactor: MiddlewareHandler<ApiEnv> = async (c, next) => {
  requireRecentSecondFactor(await openContext(c));
  await next();
};
