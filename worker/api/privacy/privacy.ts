import { Hono } from "hono";
import {
  answerRequestInput,
  enterRequestInput,
  eraseRequestInput,
  exportRequestsInput,
  extendRequestInput,
  listRequestsQuery,
  requestPath,
  rulePath,
  runRuleInput,
  startRequestInput,
} from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import { answerRequest, eraseForRequest, extendRequest, startRequest } from "#worker/domain/privacy/answer.server.ts";
import { exportDestructions, exportRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import { enterRequest, getRequest, listRequests } from "#worker/domain/privacy/request.server.ts";
import { dueList, retentionPage, runRule, tellInactive } from "#worker/domain/privacy/retention.server.ts";
import { updatePrivacySetting } from "#worker/domain/audit/retention-setting.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";
import { download } from "../kernel/download.ts";

export const adminPrivacyApi = new Hono<ApiEnv>()
  .get("/request", query(listRequestsQuery), async (c) => ok(c, await listRequests(c.var.door, c.req.valid("query"))))
  .put("/request", body(enterRequestInput), async (c) =>
    ok(c, await enterRequest(await opened(c), c.req.valid("json"))),
  )
  .post("/request/export", body(exportRequestsInput), async (c) =>
    download(await exportRequests(await opened(c), c.req.valid("json"))),
  )
  .get("/request/:id", path(requestPath), async (c) =>
    ok(c, await getRequest(await opened(c), c.req.valid("param").id)),
  )
  .post("/request/:id/start", path(requestPath), body(startRequestInput), async (c) =>
    ok(c, await startRequest(await opened(c), c.req.valid("param").id, c.req.valid("json").version)),
  )
  .post("/request/:id/answer", path(requestPath), body(answerRequestInput), async (c) =>
    ok(c, await answerRequest(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/request/:id/extend", path(requestPath), body(extendRequestInput), async (c) =>
    ok(c, await extendRequest(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/request/:id/erase", path(requestPath), body(eraseRequestInput), async (c) =>
    ok(c, await eraseForRequest(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/retention", async (c) => ok(c, await retentionPage(c.var.door)))
  .patch("/retention", body(updatePrivacyInput), async (c) =>
    ok(c, await updatePrivacySetting(await opened(c), c.req.valid("json"))),
  )
  .post("/retention/inactive/tell", body(runRuleInput), async (c) =>
    ok(c, await tellInactive(await opened(c), c.req.valid("json"))),
  )
  .get("/retention/:rule", path(rulePath), async (c) =>
    ok(c, await dueList(await opened(c), c.req.valid("param").rule)),
  )
  .post("/retention/:rule/run", path(rulePath), body(runRuleInput), async (c) =>
    ok(c, await runRule(await opened(c), c.req.valid("param").rule, c.req.valid("json"))),
  )
  .get("/destruction", query(listDestructionsQuery), async (c) =>
    ok(c, await listDestructions(c.var.door, c.req.valid("query"))),
  )
  .post("/destruction/export", body(exportDestructionsInput), async (c) =>
    download(await exportDestructions(await opened(c), c.req.valid("json"))),
  );
