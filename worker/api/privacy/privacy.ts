import * as input from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import * as requests from "#worker/domain/privacy/answer.server.ts";
import { exportDestructions, exportPrivacyRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import { enterPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import * as retention from "#worker/domain/privacy/retention.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminPrivacyApi = apiRoutes()
  .get("/request", readCall(listPrivacyRequests, sent.query(input.listRequestsQuery)))
  .put("/request", creatingCall(enterPrivacyRequest, sent.body(input.enterRequestInput)))
  .post("/request/export", recentSecondFactor, validateBody(input.exportRequestsInput), async (c) =>
    fileResponse(await exportPrivacyRequests(await openContext(c), c.req.valid("json"))),
  )
  .get("/request/:id", writeCall(getPrivacyRequest, sent.id))
  .post(
    "/request/:id/start",
    writeCall(requests.startPrivacyRequest, sent.id, sent.body(input.startRequestInput, "version")),
  )
  .post("/request/:id/answer", writeCall(requests.answerPrivacyRequest, sent.id, sent.body(input.answerRequestInput)))
  .post("/request/:id/extend", writeCall(requests.extendPrivacyRequest, sent.id, sent.body(input.extendRequestInput)))
  .post(
    "/request/:id/erase",
    recentSecondFactor,
    writeCall(requests.eraseForPrivacyRequest, sent.id, sent.body(input.eraseRequestInput)),
  )
  .get("/retention", readCall(retention.getRetentionPage))
  .patch("/retention", recentSecondFactor, writeCall(retention.updatePrivacySetting, sent.body(updatePrivacyInput)))
  .post(
    "/retention/inactive/tell",
    recentSecondFactor,
    writeCall(retention.warnInactiveMembers, sent.body(input.runRetentionRuleInput)),
  )
  .get("/retention/:rule", writeCall(retention.getDueList, sent.path(input.retentionRulePath, "rule")))
  .post(
    "/retention/:rule/run",
    recentSecondFactor,
    writeCall(
      retention.runRetentionRule,
      sent.path(input.retentionRulePath, "rule"),
      sent.body(input.runRetentionRuleInput),
    ),
  )
  .get("/destruction", readCall(listDestructions, sent.query(listDestructionsQuery)))
  .post("/destruction/export", recentSecondFactor, validateBody(exportDestructionsInput), async (c) =>
    fileResponse(await exportDestructions(await openContext(c), c.req.valid("json"))),
  );
