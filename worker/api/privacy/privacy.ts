import { Hono } from "hono";
import {
  answerRequestInput,
  enterRequestInput,
  eraseRequestInput,
  exportRequestsInput,
  extendRequestInput,
  listRequestsQuery,
  privacyRequestPath,
  retentionRulePath,
  runRetentionRuleInput,
  startRequestInput,
} from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import {
  answerPrivacyRequest,
  eraseForPrivacyRequest,
  extendPrivacyRequest,
  startPrivacyRequest,
} from "#worker/domain/privacy/answer.server.ts";
import { exportDestructions, exportPrivacyRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import { enterPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import {
  getDueList,
  getRetentionPage,
  runRetentionRule,
  warnInactiveMembers,
} from "#worker/domain/privacy/retention.server.ts";
import { updatePrivacySetting } from "#worker/domain/audit/retention-setting.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminPrivacyApi = new Hono<ApiEnv>()
  .get("/request", validateQuery(listRequestsQuery), async (c) =>
    sendData(c, await listPrivacyRequests(c.var.scope, c.req.valid("query"))),
  )
  .put("/request", validateBody(enterRequestInput), async (c) =>
    sendData(c, await enterPrivacyRequest(await openContext(c), c.req.valid("json"))),
  )
  .post("/request/export", recentSecondFactor, validateBody(exportRequestsInput), async (c) =>
    fileResponse(await exportPrivacyRequests(await openContext(c), c.req.valid("json"))),
  )
  .get("/request/:id", validatePath(privacyRequestPath), async (c) =>
    sendData(c, await getPrivacyRequest(await openContext(c), c.req.valid("param").id)),
  )
  .post("/request/:id/start", validatePath(privacyRequestPath), validateBody(startRequestInput), async (c) =>
    sendData(c, await startPrivacyRequest(await openContext(c), c.req.valid("param").id, c.req.valid("json").version)),
  )
  .post("/request/:id/answer", validatePath(privacyRequestPath), validateBody(answerRequestInput), async (c) =>
    sendData(c, await answerPrivacyRequest(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/request/:id/extend", validatePath(privacyRequestPath), validateBody(extendRequestInput), async (c) =>
    sendData(c, await extendPrivacyRequest(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post(
    "/request/:id/erase",
    recentSecondFactor,
    validatePath(privacyRequestPath),
    validateBody(eraseRequestInput),
    async (c) =>
      sendData(c, await eraseForPrivacyRequest(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/retention", async (c) => sendData(c, await getRetentionPage(c.var.scope)))
  .patch("/retention", recentSecondFactor, validateBody(updatePrivacyInput), async (c) =>
    sendData(c, await updatePrivacySetting(await openContext(c), c.req.valid("json"))),
  )
  .post("/retention/inactive/tell", validateBody(runRetentionRuleInput), async (c) =>
    sendData(c, await warnInactiveMembers(await openContext(c), c.req.valid("json"))),
  )
  .get("/retention/:rule", validatePath(retentionRulePath), async (c) =>
    sendData(c, await getDueList(await openContext(c), c.req.valid("param").rule)),
  )
  .post(
    "/retention/:rule/run",
    recentSecondFactor,
    validatePath(retentionRulePath),
    validateBody(runRetentionRuleInput),
    async (c) =>
      sendData(c, await runRetentionRule(await openContext(c), c.req.valid("param").rule, c.req.valid("json"))),
  )
  .get("/destruction", validateQuery(listDestructionsQuery), async (c) =>
    sendData(c, await listDestructions(c.var.scope, c.req.valid("query"))),
  )
  .post("/destruction/export", recentSecondFactor, validateBody(exportDestructionsInput), async (c) =>
    fileResponse(await exportDestructions(await openContext(c), c.req.valid("json"))),
  );
