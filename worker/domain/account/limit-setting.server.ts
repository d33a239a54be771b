import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { type UpdateLimitsInput, storedLimitSettings } from "#worker/contract/kernel/limit-input.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import { DEFAULT_LIMIT_SETTINGS, EDITABLE_LIMITS, type LimitSettingView } from "#worker/contract/kernel/limit-rules.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";

export async function getLimitSetting(scope: RequestScope): Promise<LimitSettingView> {
  const { rows } = await scope.readFor(
    (ctx) => authorize(ctx, { action: "ADMIN_Access" }),
    [settingStatement(scope.db, "limits")],
  );
  const [row] = rows[0];
  const stored = storedLimitSettings.parse(row?.value ?? {});
  return {
    limits: EDITABLE_LIMITS.map((name) => ({
      name,
      value: stored[name],
      standard: DEFAULT_LIMIT_SETTINGS[name],
    })),
    version: row?.version ?? 0,
  };
}

/** Changes the given limits from the next request on. @throws AppError CONFLICT */
export async function updateLimitSetting(ctx: AppContext, input: UpdateLimitsInput): Promise<NewVersion> {
  authorize(ctx, { action: "ADMIN_Access" });
  return storeSetting(ctx, "limits", input.version, input.limits, DEFAULT_LIMIT_SETTINGS);
}
