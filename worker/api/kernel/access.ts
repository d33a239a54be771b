import type { MiddlewareHandler } from "hono";
import { type AccessQuestion, authorize, can, requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { BoardAction } from "#worker/contract/kernel/permissions.ts";
import { describe } from "./describe.ts";
import { type ApiEnv, openContext } from "./http.ts";
import { requireRecentSecondFactor } from "#worker/domain/kernel/recent-proof.server.ts";

type RouteQuestion = AccessQuestion | ((param: (name: string) => string) => AccessQuestion);

/** Reads have no body; their function checks access in the same round trip. */
const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** Refuses guests before a body is read. @throws AppError UNAUTHORIZED */
export const requireSignIn = describe<MiddlewareHandler<ApiEnv>>(
  async (c, next) => {
    if (!isRead(c.req.raw)) requireSignedIn(await openContext(c));
    await next();
  },
  { asksWrites: ["signed in"] },
);

/**
 * Requires one of the permissions before a body is read; the function checks the single resource. @throws AppError
 * UNAUTHORIZED, FORBIDDEN
 */
export function requireAccess(...questions: [RouteQuestion, ...RouteQuestion[]]): MiddlewareHandler<ApiEnv> {
  const ask = (param: (name: string) => string) =>
    questions.map((each) => (typeof each === "function" ? each(param) : each));
  const handler: MiddlewareHandler<ApiEnv> = async (c, next) => {
    if (!isRead(c.req.raw)) {
      const ctx = await openContext(c);
      requireSignedIn(ctx);
      const asked = ask((name) => c.req.param(name) ?? "");
      for (const each of asked) if (!asked.some((any) => can(ctx.actor, any))) authorize(ctx, each);
    }
    await next();
  };
  return describe(handler, {
    asks: [
      ask((name) => `:${name}`)
        .map(({ action }) => action)
        .join(" or "),
    ],
  });
}

/** Leaves it to the function to hide the board's existence. @throws AppError UNAUTHORIZED */
export const requireBoardAccess = (action: BoardAction) =>
  describe<MiddlewareHandler<ApiEnv>>(
    async (c, next) => {
      if (!isRead(c.req.raw)) {
        const ctx = await openContext(c);
        const board = { boardCode: c.req.param("boardCode") ?? "", isClosed: false };
        if (ctx.actor.kind === "guest" && !can(ctx.actor, { action: `Board.${action}`, board }))
          authorize(ctx, { action: `Board.${action}`, board });
        requireSignedIn(ctx);
      }
      await next();
    },
    { asksWrites: [`Board.${action}`] },
  );

/** Asks for the second factor again before an irreversible or far-reaching action. */
export const recentSecondFactor = describe<MiddlewareHandler<ApiEnv>>(
  async (c, next) => {
    requireRecentSecondFactor(await openContext(c));
    await next();
  },
  { asks: ["second factor"] },
);
