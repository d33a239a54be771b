import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import {
  type PrivacySettings,
  privacySettings,
  type UpdatePrivacyInput,
} from "#worker/contract/audit/retention-input.ts";
import type { PrivacySettingView } from "#worker/contract/audit/view.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, runGuardedBatch, conflict, auditDifference } from "../kernel/guarded-batch.server.ts";

const PRIVACY_SETTING_KEY = "privacy";

export const privacySettingStatement = (db: Db) =>
  db.select().from(siteSetting).where(eq(siteSetting.key, PRIVACY_SETTING_KEY));
type SiteSettingRow = typeof siteSetting.$inferSelect;

/** A site that never saved them has the numbers of the contract, as version 1. */
export const privacySettingView = (row: SiteSettingRow | undefined): PrivacySettingView => ({
  value: privacySettings.parse(row?.value ?? {}),
  version: row?.version ?? 1,
});

export async function readPrivacySettings(ctx: Pick<AppContext, "db">): Promise<PrivacySettings> {
  const [row] = await privacySettingStatement(ctx.db);
  return privacySettingView(row).value;
}

/** @throws AppError CONFLICT when somebody saved since `version` was read */
export async function updatePrivacySetting(ctx: AppContext, input: UpdatePrivacyInput): Promise<PrivacySettingView> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const before = await readPrivacySettings(ctx);
  const unchanged = {
    holds: sql`coalesce((SELECT version FROM site_setting WHERE key = ${PRIVACY_SETTING_KEY}), 1) = ${version}`,
    error: () => conflict(),
  };
  const row = { value, version: version + 1, modifiedDate: ctx.now() };
  await runGuardedBatch(
    ctx,
    [unchanged],
    [
      ctx.db
        .insert(siteSetting)
        .values({ key: PRIVACY_SETTING_KEY, ...row })
        .onConflictDoUpdate({ target: siteSetting.key, set: row }),
      audit(ctx, {
        action: "privacy.setting",
        targetType: "setting",
        targetId: PRIVACY_SETTING_KEY,
        detail: auditDifference(flattenSettings(before), flattenSettings(value)),
      }),
    ],
  );
  return { value, version: version + 1 };
}

/** A line for each number, so that the log says which one changed. */
const flattenSettings = (value: PrivacySettings): Record<string, unknown> => ({
  requestDays: value.requestDays,
  ...Object.fromEntries(
    Object.entries(value.rules).map(([rule, { on, days }]) => [rule, `${on ? "켬" : "끔"}, ${days}일`]),
  ),
});
