import type { Context, MiddlewareHandler } from "hono";
import { type AccessQuestion, authorize, can, requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { BoardAction } from "#worker/contract/kernel/permissions.ts";
import { type ApiEnv, openContext } from "./http.ts";

type RouteQuestion = AccessQuestion | ((c: Context<ApiEnv>) => AccessQuestion);

/** A read has no body, and its function asks in one round trip together with what it reads. */
const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** Stands before a body is read: nobody but a signed-in person may send one here. @throws AppError UNAUTHORIZED */
export const requireSignIn: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!isRead(c.req.raw)) requireSignedIn(await openContext(c));
  await next();
};

/**
 * Stands before a body is read: a signed-in person to whom at least one of the questions is answered by yes. What it takes
 * for the single thing is asked by the function, which knows that thing.
 * @throws AppError UNAUTHORIZED, FORBIDDEN
 */
export function requireAccess(...questions: [RouteQuestion, ...RouteQuestion[]]): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (!isRead(c.req.raw)) {
      const ctx = await openContext(c);
      requireSignedIn(ctx);
      const asked = questions.map((each) => (typeof each === "function" ? each(c) : each));
      for (const each of asked) if (!asked.some((any) => can(ctx.actor, any))) authorize(ctx, each);
    }
    await next();
  };
}

/**
 * The same for the board that the path names. A guest is refused; whether the board is there at all for a signed-in person
 * is the function's to say, which answers as if there were none.
 * @throws AppError UNAUTHORIZED
 */
export const requireBoardAccess =
  (action: BoardAction): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    if (!isRead(c.req.raw)) {
      const ctx = await openContext(c);
      const board = { boardCode: c.req.param("boardCode") ?? "", isClosed: false };
      if (ctx.actor.kind === "guest" && !can(ctx.actor, { action: `Board.${action}`, board }))
        authorize(ctx, { action: `Board.${action}`, board });
      requireSignedIn(ctx);
    }
    await next();
  };
