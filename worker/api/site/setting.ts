import { updateAlumniSettingsInput } from "#worker/contract/alumni/setting-input.ts";
import { updateCaseReportInput } from "#worker/contract/case-report/case-report.ts";
import { updateAuthenticationInput } from "#worker/contract/account/setting-input.ts";
import { setupStepPath, updateMenuInput, updateSiteInput } from "#worker/contract/site/input.ts";
import { exportSettingsQuery, importSettingsInput } from "#worker/contract/site/transfer-input.ts";
import { SETTING_FILE_LIMITS } from "#worker/contract/site/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { getAlumniSetting, updateAlumniSetting } from "#worker/domain/alumni/setting.server.ts";
import {
  getCaseReportSetting,
  getMenuSetting,
  updateCaseReportSetting,
  updateMenuSetting,
} from "#worker/domain/site/menu-setting.server.ts";
import {
  getAuthenticationSetting,
  getSiteSetting,
  updateAuthenticationSetting,
  updateSiteSetting,
} from "#worker/domain/site/setting.server.ts";
import { exportSettings, importSettings } from "#worker/domain/site/setting-transfer.server.ts";
import { apiRoutes, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { logoPath, updateIdentityInput, updateLogoInput } from "#worker/contract/site/identity-input.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import { getBoardClosing } from "#worker/domain/site/board-closing.server.ts";
import { updateInfoPagesInput } from "#worker/contract/content/input.ts";
import { getInfoPages, updateInfoPages } from "#worker/domain/content/info-page.server.ts";
import { getIdentitySetting, getLogoPicture, updateIdentity, updateLogo } from "#worker/domain/site/identity.server.ts";
import { recentSecondFactor } from "../kernel/access.ts";
import { simulateSettings } from "#worker/domain/site/simulate-settings.server.ts";
import { simulateSettingsQuery } from "#worker/contract/access/input.ts";
import { popups } from "#worker/domain/site/popup.server.ts";
import { quickLinks } from "#worker/domain/site/quick-link.server.ts";
import { rowRoutes } from "../kernel/row-routes.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { confirmSetupStep, getSetup } from "#worker/domain/site/setup.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import { getSiteInfo } from "#worker/domain/site/site.server.ts";

export const adminSettingApi = apiRoutes()
  .get("/site", readCall(getSiteSetting))
  .patch("/site", writeCall(updateSiteSetting, sent.body(updateSiteInput)))
  .get("/export", recentSecondFactor, readCall(exportSettings, sent.query(exportSettingsQuery)))
  .post(
    "/import",
    recentSecondFactor,
    writeCall(importSettings, sent.bodyWithin(SETTING_FILE_LIMITS.bytes, importSettingsInput)),
  )
  .get("/right", writeCall(simulateSettings, sent.query(simulateSettingsQuery)))
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

export const adminHomeApi = apiRoutes()
  .route("/popup", rowRoutes(popups, { maxBytes: SIZE_LIMITS.postBytes }))
  .route("/quick-link", rowRoutes(quickLinks));

export const adminSetupApi = apiRoutes()
  .get("/", readCall(getSetup))
  .post("/confirm/:step", writeCall(confirmSetupStep, sent.path(setupStepPath, "step"), sent.body(noInput)));

export const siteSettingApi = apiRoutes()
  .get("/info", readCall(getSiteInfo))
  .get("/authentication", readCall(getAuthenticationInfo))
  .get(
    "/logo/:picture",
    responseCall(
      async (c, picture) => {
        const { contentType, body } = await getLogoPicture(c.var.scope, picture);
        const headers = {
          "Content-Type": contentType,
          // The address changes with the image; without `v` it is revalidated.
          "Cache-Control": c.req.query("v") ? "public, max-age=31536000, immutable" : "public, no-cache",
          "Cross-Origin-Resource-Policy": "cross-origin",
        };
        return new Response(body, { headers });
      },
      sent.path(logoPath, "picture"),
    ),
  );
