import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import { getSiteInfo } from "#worker/domain/site/site.server.ts";
import { apiRoutes, scopeCall } from "../kernel/call.ts";

export const siteSettingApi = apiRoutes()
  .get("/info", scopeCall(getSiteInfo))
  .get("/authentication", scopeCall(getAuthenticationInfo));
