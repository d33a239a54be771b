import { Hono } from "hono";
import { getSubjectCounts } from "#worker/domain/case-report/counts.server.ts";
import { issueCaseReportUrl } from "#worker/domain/case-report/hand-over.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { type ApiEnv, sendData, openContext } from "../kernel/http.ts";

export const caseReportApi = new Hono<ApiEnv>()
  .get("/subject-location-count", async (c) => sendData(c, await getSubjectCounts(c.var.scope)))
  .post("/token", requireAccess({ action: "CaseReport_Access" }), async (c) =>
    sendData(c, await issueCaseReportUrl(await openContext(c))),
  );
