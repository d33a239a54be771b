import type { message } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

/** Placeholder for the token of a secret address, so that logs and backups never hold it. */
export const SECRET_TOKEN_MARK = "{비공개}";

export const secretTokenOf = (ctx: Pick<AppContext, "tokens">, onceKey: string) =>
  ctx.tokens.hash("secretAddress", onceKey);

export const fillSecretToken = (
  ctx: Pick<AppContext, "tokens">,
  { body, onceKey }: Pick<typeof message.$inferSelect, "body" | "onceKey">,
): string => (onceKey === null ? body : body.replaceAll(SECRET_TOKEN_MARK, () => secretTokenOf(ctx, onceKey)));
