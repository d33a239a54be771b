import { Hono } from "hono";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import { getSiteInfo } from "#worker/domain/site/site.server.ts";
import { type ApiEnv, sendData } from "../kernel/http.ts";

export const siteSettingApi = new Hono<ApiEnv>()
  .get("/info", async (c) => sendData(c, await getSiteInfo(c.var.scope)))
  .get("/authentication", async (c) => sendData(c, await getAuthenticationInfo(c.var.scope)));
