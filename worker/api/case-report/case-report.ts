import { getSubjectCounts, issueCaseReportUrl } from "#worker/domain/case-report/case-report.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, readCall, writeCall } from "../kernel/call.ts";

export const caseReportApi = apiRoutes()
  .get("/subject-location-count", readCall(getSubjectCounts))
  .post("/token", requireAccess({ action: "CaseReport_Access" }), writeCall(issueCaseReportUrl));
