import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";

/** First line of what the office does with people of the address book in the console. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeOffice(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Alumni_Write" });
}
