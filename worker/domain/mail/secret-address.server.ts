import type { message } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

/** Stands in a text where its reader alone gets the token of an address: neither the log of messages nor a backup holds it. */
export const SECRET_TOKEN_MARK = "{비공개}";

/** Of one message to one person. What is kept of it is its hash. */
export const secretTokenOf = (ctx: Pick<AppContext, "tokens">, onceKey: string) =>
  ctx.tokens.hash("secretAddress", onceKey);

/** The text as it goes out. */
export const fillSecretToken = (
  ctx: Pick<AppContext, "tokens">,
  { body, onceKey }: Pick<typeof message.$inferSelect, "body" | "onceKey">,
): string => (onceKey === null ? body : body.replaceAll(SECRET_TOKEN_MARK, () => secretTokenOf(ctx, onceKey)));
