import type { AppContext } from "#worker/domain/kernel/context.ts";
import { deliverMessageSoon } from "../../mail/message.server.ts";
import { loadTemplateRenderer } from "../../mail/render-template.server.ts";
import { queueOwnerMessage, userKeysStatement } from "../../mail/owner-message.server.ts";

/** Prepares the owner's message about a change: its statement for the batch, and its delivery. */
export async function secondFactorMessage(ctx: AppContext, userId: string, what: string) {
  const write = await loadTemplateRenderer(ctx);
  const keys = await userKeysStatement(ctx, userId);
  const queued = queueOwnerMessage(ctx, userId, keys, write("secondFactorChanged", { 내용: what }));
  return {
    statements: queued ? [queued.statement] : [],
    deliver: () => queued && deliverMessageSoon(ctx, queued.id),
  };
}
