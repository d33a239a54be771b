import * as input from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import * as requests from "#worker/domain/privacy/answer.server.ts";
import { exportDestructions, exportPrivacyRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import { enterPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import * as retention from "#worker/domain/privacy/retention.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminPrivacyApi = apiRoutes()
  .get("/request", scopeCall(listPrivacyRequests, sent.query(input.listRequestsQuery)))
  .put("/request", creatingCall(enterPrivacyRequest, sent.body(input.enterRequestInput)))
  .post("/request/export", recentSecondFactor, validateBody(input.exportRequestsInput), async (c) =>
    fileResponse(await exportPrivacyRequests(await openContext(c), c.req.valid("json"))),
  )
  .get("/request/:id", contextCall(getPrivacyRequest, sent.id))
  .post(
    "/request/:id/start",
    contextCall(requests.startPrivacyRequest, sent.id, sent.body(input.startRequestInput, "version")),
  )
  .post("/request/:id/answer", contextCall(requests.answerPrivacyRequest, sent.id, sent.body(input.answerRequestInput)))
  .post("/request/:id/extend", contextCall(requests.extendPrivacyRequest, sent.id, sent.body(input.extendRequestInput)))
  .post(
    "/request/:id/erase",
    recentSecondFactor,
    contextCall(requests.eraseForPrivacyRequest, sent.id, sent.body(input.eraseRequestInput)),
  )
  .get("/retention", scopeCall(retention.getRetentionPage))
  .patch("/retention", recentSecondFactor, contextCall(retention.updatePrivacySetting, sent.body(updatePrivacyInput)))
  .post(
    "/retention/inactive/tell",
    recentSecondFactor,
    contextCall(retention.warnInactiveMembers, sent.body(input.runRetentionRuleInput)),
  )
  .get("/retention/:rule", contextCall(retention.getDueList, sent.path(input.retentionRulePath, "rule")))
  .post(
    "/retention/:rule/run",
    recentSecondFactor,
    contextCall(
      retention.runRetentionRule,
      sent.path(input.retentionRulePath, "rule"),
      sent.body(input.runRetentionRuleInput),
    ),
  )
  .get("/destruction", scopeCall(listDestructions, sent.query(listDestructionsQuery)))
  .post("/destruction/export", recentSecondFactor, validateBody(exportDestructionsInput), async (c) =>
    fileResponse(await exportDestructions(await openContext(c), c.req.valid("json"))),
  );
