import {
  answerRequestInput,
  enterRequestInput,
  eraseRequestInput,
  exportRequestsInput,
  extendRequestInput,
  listRequestsQuery,
  retentionRulePath,
  runRetentionRuleInput,
  startRequestInput,
} from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import * as requests from "#worker/domain/privacy/answer.server.ts";
import { exportDestructions, exportPrivacyRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import { enterPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import * as retention from "#worker/domain/privacy/retention.server.ts";
import { updatePrivacySetting } from "#worker/domain/audit/retention-setting.server.ts";
import {
  apiRoutes,
  contextCall,
  creatingCall,
  fromBody,
  fromPath,
  fromQuery,
  pathId,
  scopeCall,
} from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminPrivacyApi = apiRoutes()
  .get("/request", scopeCall(listPrivacyRequests, fromQuery(listRequestsQuery)))
  .put("/request", creatingCall(enterPrivacyRequest, fromBody(enterRequestInput)))
  .post("/request/export", recentSecondFactor, validateBody(exportRequestsInput), async (c) =>
    fileResponse(await exportPrivacyRequests(await openContext(c), c.req.valid("json"))),
  )
  .get("/request/:id", contextCall(getPrivacyRequest, pathId))
  .post("/request/:id/start", contextCall(requests.startPrivacyRequest, pathId, fromBody(startRequestInput, "version")))
  .post("/request/:id/answer", contextCall(requests.answerPrivacyRequest, pathId, fromBody(answerRequestInput)))
  .post("/request/:id/extend", contextCall(requests.extendPrivacyRequest, pathId, fromBody(extendRequestInput)))
  .post(
    "/request/:id/erase",
    recentSecondFactor,
    contextCall(requests.eraseForPrivacyRequest, pathId, fromBody(eraseRequestInput)),
  )
  .get("/retention", scopeCall(retention.getRetentionPage))
  .patch("/retention", recentSecondFactor, contextCall(updatePrivacySetting, fromBody(updatePrivacyInput)))
  .post(
    "/retention/inactive/tell",
    recentSecondFactor,
    contextCall(retention.warnInactiveMembers, fromBody(runRetentionRuleInput)),
  )
  .get("/retention/:rule", contextCall(retention.getDueList, fromPath(retentionRulePath, "rule")))
  .post(
    "/retention/:rule/run",
    recentSecondFactor,
    contextCall(retention.runRetentionRule, fromPath(retentionRulePath, "rule"), fromBody(runRetentionRuleInput)),
  )
  .get("/destruction", scopeCall(listDestructions, fromQuery(listDestructionsQuery)))
  .post("/destruction/export", recentSecondFactor, validateBody(exportDestructionsInput), async (c) =>
    fileResponse(await exportDestructions(await openContext(c), c.req.valid("json"))),
  );
