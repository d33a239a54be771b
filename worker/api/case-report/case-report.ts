import { Hono } from "hono";
import { subjectCounts } from "#worker/domain/case-report/counts.server.ts";
import { caseReportUrl } from "#worker/domain/case-report/token.server.ts";
import { type ApiEnv, ok, opened } from "../kernel/http.ts";

export const caseReportApi = new Hono<ApiEnv>()
  .get("/subject-location-count", async (c) => ok(c, await subjectCounts(c.var.door)))
  .post("/token", async (c) => ok(c, await caseReportUrl(await opened(c))));
