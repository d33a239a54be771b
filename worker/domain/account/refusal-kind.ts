import type { AppContext } from "../kernel/context.ts";

/** A guest must sign in; others learn nothing of another person's account. */
export const refusalKind = (ctx: AppContext) => (ctx.actor.kind === "guest" ? ("told" as const) : ("hidden" as const));
