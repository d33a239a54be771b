import { Hono } from "hono";
import { getSubjectCounts } from "#worker/domain/case-report/counts.server.ts";
import { issueCaseReportUrl } from "#worker/domain/case-report/hand-over.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { scopeCall, contextCall } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

export const caseReportApi = new Hono<ApiEnv>()
  .get("/subject-location-count", scopeCall(getSubjectCounts))
  .post("/token", requireAccess({ action: "CaseReport_Access" }), contextCall(issueCaseReportUrl));
