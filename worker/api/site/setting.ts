import { updateAlumniSettingsInput } from "#worker/contract/alumni/setting-input.ts";
import { updateCaseReportInput } from "#worker/contract/case-report/input.ts";
import { updateAuthenticationInput } from "#worker/contract/account/setting-input.ts";
import { updateSiteInput } from "#worker/contract/site/input.ts";
import { exportSettingsQuery, importSettingsInput } from "#worker/contract/site/transfer-input.ts";
import { SETTING_FILE_LIMITS } from "#worker/contract/site/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { updateMenuInput } from "#worker/contract/site/menu-input.ts";
import { getAlumniSetting, updateAlumniSetting } from "#worker/domain/alumni/setting.server.ts";
import {
  getCaseReportSetting,
  getMenuSetting,
  updateCaseReportSetting,
  updateMenuSetting,
} from "#worker/domain/site/home-setting.server.ts";
import {
  getAuthenticationSetting,
  getSiteSetting,
  updateAuthenticationSetting,
  updateSiteSetting,
} from "#worker/domain/site/setting.server.ts";
import { exportSettings, importSettings } from "#worker/domain/site/setting-transfer.server.ts";
import { apiRoutes, writeCall, readCall, sent } from "../kernel/call.ts";
import { updateIdentityInput, updateLogoInput } from "#worker/contract/site/identity-input.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import { getBoardClosing } from "#worker/domain/site/board-closing.server.ts";
import { updateInfoPagesInput } from "#worker/contract/content/info-page-input.ts";
import { getInfoPages, updateInfoPages } from "#worker/domain/content/info-page.server.ts";
import { getIdentitySetting, updateIdentity, updateLogo } from "#worker/domain/site/identity.server.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminSettingApi = apiRoutes()
  .get("/site", readCall(getSiteSetting))
  .patch("/site", writeCall(updateSiteSetting, sent.body(updateSiteInput)))
  .get("/export", recentSecondFactor, readCall(exportSettings, sent.query(exportSettingsQuery)))
  .post(
    "/import",
    recentSecondFactor,
    writeCall(importSettings, sent.bodyWithin(SETTING_FILE_LIMITS.bytes, importSettingsInput)),
  )
  .get("/board-closing/:boardCode", readCall(getBoardClosing, sent.path(boardPath, "boardCode")))
  .get("/identity", readCall(getIdentitySetting))
  .patch("/identity", writeCall(updateIdentity, sent.body(updateIdentityInput)))
  .patch("/logo", writeCall(updateLogo, sent.bodyWithin(SIZE_LIMITS.postBytes, updateLogoInput)))
  .get("/pages", readCall(getInfoPages))
  .patch("/pages", writeCall(updateInfoPages, sent.body(updateInfoPagesInput)))
  .get("/menu", readCall(getMenuSetting))
  .patch("/menu", writeCall(updateMenuSetting, sent.body(updateMenuInput)))
  .get("/case-report", readCall(getCaseReportSetting))
  .patch("/case-report", writeCall(updateCaseReportSetting, sent.body(updateCaseReportInput)))
  .get("/alumni", readCall(getAlumniSetting))
  .patch("/alumni", recentSecondFactor, writeCall(updateAlumniSetting, sent.body(updateAlumniSettingsInput)))
  .get("/authentication", readCall(getAuthenticationSetting))
  .patch(
    "/authentication",
    recentSecondFactor,
    writeCall(updateAuthenticationSetting, sent.body(updateAuthenticationInput)),
  );
