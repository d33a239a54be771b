import { getSubjectCounts } from "#worker/domain/case-report/counts.server.ts";
import { issueCaseReportUrl } from "#worker/domain/case-report/hand-over.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, contextCall, scopeCall } from "../kernel/call.ts";

export const caseReportApi = apiRoutes()
  .get("/subject-location-count", scopeCall(getSubjectCounts))
  .post("/token", requireAccess({ action: "CaseReport_Access" }), contextCall(issueCaseReportUrl));
