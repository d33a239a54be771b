import { unchanged } from "#db/sql.ts";
import { eq, sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { audit } from "./audit-entry.server.ts";
import { runGuardedBatch, auditDifference } from "./guarded-batch.server.ts";

type OptionalSettingKey =
  | "menu"
  | "case-report"
  | "consent"
  | "alumni"
  | "limits"
  | "setup"
  | "identity"
  | "pages"
  | "logo";
export const settingStatement = (db: RequestScope["db"], key: OptionalSettingKey) =>
  db.select().from(siteSetting).where(eq(siteSetting.key, key));

/**
 * Creates the row with the first change and keeps other keys. @param defaults values without a stored row, so that the
 * audit log shows real changes only @throws AppError CONFLICT
 */
export async function storeSetting(
  ctx: AppContext,
  key: OptionalSettingKey,
  version: number,
  value: Record<string, unknown>,
  defaults: Record<string, unknown> = {},
) {
  const [before] = await settingStatement(ctx.db, key);
  const modifiedDate = ctx.now();
  await runGuardedBatch(
    ctx,
    [unchanged(siteSetting, key, version)],
    [
      ctx.db
        .insert(siteSetting)
        .values({ key, value, modifiedDate })
        .onConflictDoUpdate({
          target: siteSetting.key,
          set: {
            value: sql`json_patch(${siteSetting.value}, ${JSON.stringify(value)})`,
            version: version + 1,
            modifiedDate,
          },
        }),
      audit(ctx, {
        action: "setting.change",
        targetType: "setting",
        targetId: key,
        detail: auditDifference({ ...defaults, ...(before?.value as Record<string, unknown> | undefined) }, value),
      }),
    ],
  );
  return { version: version + 1 };
}
