import { Hono } from "hono";
import { authenticationInfo } from "#worker/domain/account/signup.server.ts";
import { siteInfo } from "#worker/domain/site/site.server.ts";
import { type ApiEnv, ok } from "../kernel/http.ts";

export const siteSettingApi = new Hono<ApiEnv>()
  .get("/info", async (c) => ok(c, await siteInfo(c.var.door)))
  .get("/authentication", async (c) => ok(c, await authenticationInfo(c.var.door)));
