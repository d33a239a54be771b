import { getSubjectCounts } from "#worker/domain/case-report/counts.server.ts";
import { issueCaseReportUrl } from "#worker/domain/case-report/hand-over.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, writeCall, readCall } from "../kernel/call.ts";

export const caseReportApi = apiRoutes()
  .get("/subject-location-count", readCall(getSubjectCounts))
  .post("/token", requireAccess({ action: "CaseReport_Access" }), writeCall(issueCaseReportUrl));
