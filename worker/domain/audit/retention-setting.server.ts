import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type PrivacySettings, privacySettings } from "#worker/contract/audit/retention-input.ts";
import type { PrivacySettingView } from "#worker/contract/audit/log.ts";

export const PRIVACY_SETTING_KEY = "privacy";

export const privacySettingStatement = (db: Db) =>
  db.select().from(siteSetting).where(eq(siteSetting.key, PRIVACY_SETTING_KEY));
/** Defaults with version 1 until the first save. */
export const privacySettingView = (row: typeof siteSetting.$inferSelect | undefined): PrivacySettingView => ({
  value: privacySettings.parse(row?.value ?? {}),
  version: row?.version ?? 1,
});

export async function readPrivacySettings(ctx: Pick<AppContext, "db">): Promise<PrivacySettings> {
  const [row] = await privacySettingStatement(ctx.db);
  return privacySettingView(row).value;
}
