import { Hono } from "hono";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import { getSiteInfo } from "#worker/domain/site/site.server.ts";
import { scopeCall } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

export const siteSettingApi = new Hono<ApiEnv>()
  .get("/info", scopeCall(getSiteInfo))
  .get("/authentication", scopeCall(getAuthenticationInfo));
