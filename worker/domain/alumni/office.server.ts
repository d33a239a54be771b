import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";

/** Authorizes the office in the console. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeOffice(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Alumni_Write" });
}

/**
 * Authorizes changes of the address book's setup, which decides what members see. @throws AppError UNAUTHORIZED,
 * FORBIDDEN
 */
export function authorizeAlumniSetup(ctx: Pick<AppContext, "actor">): void {
  authorizeOffice(ctx);
  authorize(ctx, { action: "Alumni_Read" });
}
