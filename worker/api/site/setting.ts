import { Hono } from "hono";
import { updateBookInput } from "#worker/contract/alumni/setting-input.ts";
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
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import { updateSiteInput } from "#worker/contract/site/input.ts";
import { importSettingsInput } from "#worker/contract/site/transfer-input.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { updateMenuInput } from "#worker/contract/site/menu-input.ts";
import {
  closeAgreement,
  getAgreement,
  listAgreements,
  publishAgreement,
} from "#worker/domain/content/agreement.server.ts";
import { getBookSetting, updateBookSetting } from "#worker/domain/alumni/setting.server.ts";
import {
  getCaseReportSetting,
  getMenuSetting,
  updateCaseReportSetting,
  updateMenuSetting,
} from "#worker/domain/site/home-setting.server.ts";
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
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const adminSettingApi = new Hono<ApiEnv>()
  .get("/site", async (c) => ok(c, await getSiteSetting(c.var.door)))
  .patch("/site", body(updateSiteInput), async (c) =>
    ok(c, await updateSiteSetting(await opened(c), c.req.valid("json"))),
  )
  .get("/export", async (c) => ok(c, await exportSettings(c.var.door)))
  .post("/import", body(importSettingsInput, SIZES.postBytes), async (c) =>
    ok(c, await importSettings(await opened(c), c.req.valid("json"))),
  )
  .get("/menu", async (c) => ok(c, await getMenuSetting(c.var.door)))
  .patch("/menu", body(updateMenuInput), async (c) =>
    ok(c, await updateMenuSetting(await opened(c), c.req.valid("json"))),
  )
  .get("/case-report", async (c) => ok(c, await getCaseReportSetting(c.var.door)))
  .patch("/case-report", body(updateCaseReportInput), async (c) =>
    ok(c, await updateCaseReportSetting(await opened(c), c.req.valid("json"))),
  )
  .get("/alumni", async (c) => ok(c, await getBookSetting(c.var.door)))
  .patch("/alumni", body(updateBookInput), async (c) =>
    ok(c, await updateBookSetting(await opened(c), c.req.valid("json"))),
  )
  .get("/authentication", async (c) => ok(c, await getAuthenticationSetting(c.var.door)))
  .patch("/authentication", body(updateAuthenticationInput), async (c) =>
    ok(c, await updateAuthenticationSetting(await opened(c), c.req.valid("json"))),
  )
  .get("/profile-field", async (c) => ok(c, await listProfileFields(c.var.door)))
  .put("/profile-field", body(createProfileFieldInput), async (c) =>
    ok(c, await createProfileField(await opened(c), c.req.valid("json"))),
  )
  .post("/profile-field/order", body(orderInput), async (c) =>
    ok(c, await orderProfileFields(await opened(c), c.req.valid("json").codes)),
  )
  .patch("/profile-field/:code", path(profileFieldPath), body(updateProfileFieldInput), async (c) =>
    ok(c, await updateProfileField(await opened(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .delete("/profile-field/:code", path(profileFieldPath), query(versionQuery), async (c) =>
    ok(c, await removeProfileField(await opened(c), c.req.valid("param").code, c.req.valid("query").version)),
  )
  .get("/agreement", async (c) => ok(c, await listAgreements(c.var.door)))
  .put("/agreement", body(publishAgreementInput, SIZES.postBytes), async (c) =>
    ok(c, await publishAgreement(await opened(c), c.req.valid("json"))),
  )
  .get("/agreement/:code/:version", path(agreementPath), async (c) =>
    ok(c, await getAgreement(c.var.door, c.req.valid("param"))),
  )
  .post("/agreement/:code/close", path(agreementCodePath), body(closeAgreementInput), async (c) =>
    ok(c, await closeAgreement(await opened(c), c.req.valid("param").code, c.req.valid("json"))),
  );
