import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";

/** First line of what the office does with people of the address book in the console. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeOffice(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Alumni_Write" });
}

/** First line of each change of how the address book is set up, which decides what members see of everybody. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeAlumniSetup(ctx: Pick<AppContext, "actor">): void {
  authorizeOffice(ctx);
  authorize(ctx, { action: "Alumni_Read" });
}
