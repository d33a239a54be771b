import { Hono } from "hono";
import { updateAlumniSettingsInput } from "#worker/contract/alumni/setting-input.ts";
import { updateCaseReportInput } from "#worker/contract/case-report/input.ts";
import {
  agreementCodePath,
  agreementPath,
  closeAgreementInput,
  publishAgreementInput,
} from "#worker/contract/content/agreement-input.ts";
import {
  createProfileFieldInput,
  profileFieldPath,
  updateAuthenticationInput,
  updateProfileFieldInput,
} from "#worker/contract/account/setting-input.ts";
import { updateLimitsInput } from "#worker/contract/kernel/limit-input.ts";
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import { updateSiteInput } from "#worker/contract/site/input.ts";
import { importSettingsInput } from "#worker/contract/site/transfer-input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { updateMenuInput } from "#worker/contract/site/menu-input.ts";
import {
  closeAgreement,
  getAgreement,
  listAgreements,
  publishAgreement,
} from "#worker/domain/content/agreement.server.ts";
import { getAlumniSetting, updateAlumniSetting } from "#worker/domain/alumni/setting.server.ts";
import {
  getCaseReportSetting,
  getMenuSetting,
  updateCaseReportSetting,
  updateMenuSetting,
} from "#worker/domain/site/home-setting.server.ts";
import { getLimitSetting, updateLimitSetting } from "#worker/domain/account/limit-setting.server.ts";
import {
  createProfileField,
  listProfileFields,
  orderProfileFields,
  removeProfileField,
  updateProfileField,
} from "#worker/domain/account/profile-field.server.ts";
import {
  getAuthenticationSetting,
  getSiteSetting,
  updateAuthenticationSetting,
  updateSiteSetting,
} from "#worker/domain/site/setting.server.ts";
import { exportSettings, importSettings } from "#worker/domain/site/setting-transfer.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminSettingApi = new Hono<ApiEnv>()
  .get("/site", async (c) => sendData(c, await getSiteSetting(c.var.scope)))
  .patch("/site", validateBody(updateSiteInput), async (c) =>
    sendData(c, await updateSiteSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/export", recentSecondFactor, async (c) => sendData(c, await exportSettings(c.var.scope)))
  .post("/import", recentSecondFactor, validateBody(importSettingsInput, SIZE_LIMITS.postBytes), async (c) =>
    sendData(c, await importSettings(await openContext(c), c.req.valid("json"))),
  )
  .get("/menu", async (c) => sendData(c, await getMenuSetting(c.var.scope)))
  .patch("/menu", validateBody(updateMenuInput), async (c) =>
    sendData(c, await updateMenuSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/case-report", async (c) => sendData(c, await getCaseReportSetting(c.var.scope)))
  .patch("/case-report", validateBody(updateCaseReportInput), async (c) =>
    sendData(c, await updateCaseReportSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/alumni", async (c) => sendData(c, await getAlumniSetting(c.var.scope)))
  .patch("/alumni", validateBody(updateAlumniSettingsInput), async (c) =>
    sendData(c, await updateAlumniSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/limits", async (c) => sendData(c, await getLimitSetting(c.var.scope)))
  .patch("/limits", recentSecondFactor, validateBody(updateLimitsInput), async (c) =>
    sendData(c, await updateLimitSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/authentication", async (c) => sendData(c, await getAuthenticationSetting(c.var.scope)))
  .patch("/authentication", recentSecondFactor, validateBody(updateAuthenticationInput), async (c) =>
    sendData(c, await updateAuthenticationSetting(await openContext(c), c.req.valid("json"))),
  )
  .get("/profile-field", async (c) => sendData(c, await listProfileFields(c.var.scope)))
  .put("/profile-field", validateBody(createProfileFieldInput), async (c) =>
    sendData(c, await createProfileField(await openContext(c), c.req.valid("json"))),
  )
  .post("/profile-field/order", validateBody(orderInput), async (c) =>
    sendData(c, await orderProfileFields(await openContext(c), c.req.valid("json").codes)),
  )
  .patch("/profile-field/:code", validatePath(profileFieldPath), validateBody(updateProfileFieldInput), async (c) =>
    sendData(c, await updateProfileField(await openContext(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .delete("/profile-field/:code", validatePath(profileFieldPath), validateQuery(versionQuery), async (c) =>
    sendData(
      c,
      await removeProfileField(await openContext(c), c.req.valid("param").code, c.req.valid("query").version),
    ),
  )
  .get("/agreement", async (c) => sendData(c, await listAgreements(c.var.scope)))
  .put("/agreement", validateBody(publishAgreementInput, SIZE_LIMITS.postBytes), async (c) =>
    sendData(c, await publishAgreement(await openContext(c), c.req.valid("json"))),
  )
  .get("/agreement/:code/:version", validatePath(agreementPath), async (c) =>
    sendData(c, await getAgreement(c.var.scope, c.req.valid("param"))),
  )
  .post("/agreement/:code/close", validatePath(agreementCodePath), validateBody(closeAgreementInput), async (c) =>
    sendData(c, await closeAgreement(await openContext(c), c.req.valid("param").code, c.req.valid("json"))),
  );
