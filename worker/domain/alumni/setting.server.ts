import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AlumniSettingView } from "#worker/contract/alumni/view.ts";
import { storedAlumniSettings, type UpdateAlumniSettingsInput } from "#worker/contract/alumni/setting-input.ts";
import { DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";
import { alumniBinDays } from "#worker/contract/audit/retention-input.ts";
import { ALUMNI_SETTING_KEY } from "./alumni-settings.server.ts";
import {
  privacySettingStatement as retentionStatement,
  privacySettingView,
} from "../audit/retention-setting.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { authorizeAlumniSetup } from "./office.server.ts";

export async function getAlumniSetting(scope: RequestScope): Promise<AlumniSettingView> {
  const { rows } = await scope.readFor(authorizeAlumniSetup, [
    settingStatement(scope.db, ALUMNI_SETTING_KEY),
    retentionStatement(scope.db),
  ]);
  const [[row], [retention]] = rows;
  return {
    value: storedAlumniSettings.parse(row?.value ?? DEFAULT_ALUMNI_SETTINGS),
    version: row?.version ?? 0,
    binDays: alumniBinDays(privacySettingView(retention).value),
  };
}

/** Keeps the values of a disabled column. @throws AppError CONFLICT */
export async function updateAlumniSetting(
  ctx: AppContext,
  input: UpdateAlumniSettingsInput,
): Promise<{ version: number }> {
  authorizeAlumniSetup(ctx);
  const { version, ...value } = input;
  return storeSetting(ctx, ALUMNI_SETTING_KEY, version, value, { ...DEFAULT_ALUMNI_SETTINGS });
}
