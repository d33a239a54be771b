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
import { administrating, change, conflict, difference } from "../kernel/change.server.ts";

const KEY = "privacy";

export const settingStatement = (db: Db) => db.select().from(siteSetting).where(eq(siteSetting.key, KEY));
type Row = typeof siteSetting.$inferSelect;

/** A site that never saved them has the numbers of the contract, as version 1. */
export const settingView = (row: Row | undefined): PrivacySettingView => ({
  value: privacySettings.parse(row?.value ?? {}),
  version: row?.version ?? 1,
});

export async function privacySettingsOf(ctx: Pick<AppContext, "db">): Promise<PrivacySettings> {
  const [row] = await settingStatement(ctx.db);
  return settingView(row).value;
}

/** @throws AppError CONFLICT when somebody saved since `version` was read */
export async function updatePrivacySetting(ctx: AppContext, input: UpdatePrivacyInput): Promise<PrivacySettingView> {
  administrating(ctx);
  const { version, ...value } = input;
  const before = await privacySettingsOf(ctx);
  const unchanged = {
    holds: sql`coalesce((SELECT version FROM site_setting WHERE key = ${KEY}), 1) = ${version}`,
    error: () => conflict(),
  };
  const row = { value, version: version + 1, modifiedDate: ctx.now() };
  await change(
    ctx,
    [unchanged],
    [
      ctx.db
        .insert(siteSetting)
        .values({ key: KEY, ...row })
        .onConflictDoUpdate({ target: siteSetting.key, set: row }),
      audit(ctx, {
        action: "privacy.setting",
        targetType: "setting",
        targetId: KEY,
        detail: difference(flat(before), flat(value)),
      }),
    ],
  );
  return { value, version: version + 1 };
}

/** A line for each number, so that the log says which one changed. */
const flat = (value: PrivacySettings): Record<string, unknown> => ({
  requestDays: value.requestDays,
  ...Object.fromEntries(
    Object.entries(value.rules).map(([rule, { on, days }]) => [rule, `${on ? "켬" : "끔"}, ${days}일`]),
  ),
});
