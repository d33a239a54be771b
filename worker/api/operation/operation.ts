import { Hono } from "hono";
import { auditPath, auditSubjectsQuery, exportAuditInput, listAuditQuery } from "#worker/contract/audit/input.ts";
import { acknowledgeAlarmInput, jobPath } from "#worker/contract/operation/input.ts";
import { listMessagesQuery, retryMessagesInput } from "#worker/contract/mail/input.ts";
import { listAuditSubjects } from "#worker/domain/audit/export-subject.server.ts";
import { exportAuditLog, listAuditLog } from "#worker/domain/audit/audit-log.server.ts";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { acknowledgeAlarm } from "#worker/domain/operation/alarm.server.ts";
import { listJobs } from "#worker/domain/operation/job-list.server.ts";
import { runJobNow } from "#worker/domain/operation/job-run.server.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { listMessages, retryMessages } from "#worker/domain/mail/message-log.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminDashboardApi = new Hono<ApiEnv>().get("/", async (c) => sendData(c, await getDashboard(c.var.scope)));

/** Read and exported, never changed. */
export const adminAuditApi = new Hono<ApiEnv>()
  .get("/", validateQuery(listAuditQuery), async (c) =>
    sendData(c, await listAuditLog(c.var.scope, c.req.valid("query"))),
  )
  .get("/:auditId", validatePath(auditPath), validateQuery(auditSubjectsQuery), async (c) =>
    sendData(c, await listAuditSubjects(await openContext(c), c.req.valid("param").auditId, c.req.valid("query").page)),
  )
  .post("/export", recentSecondFactor, validateBody(exportAuditInput), async (c) =>
    fileResponse(await exportAuditLog(await openContext(c), c.req.valid("json"))),
  );

export const adminMessageApi = new Hono<ApiEnv>()
  .get("/", validateQuery(listMessagesQuery), async (c) =>
    sendData(c, await listMessages(c.var.scope, c.req.valid("query"))),
  )
  .post("/retry", validateBody(retryMessagesInput), async (c) =>
    sendData(c, await retryMessages(await openContext(c), c.req.valid("json"))),
  );

export const adminJobApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listJobs(c.var.scope)))
  .post("/alarm/acknowledge", validateBody(acknowledgeAlarmInput), async (c) =>
    sendData(c, await acknowledgeAlarm(await openContext(c), c.req.valid("json").key)),
  )
  .post("/:name/run", validatePath(jobPath), validateBody(noInput), async (c) =>
    sendData(c, await runJobNow(await openContext(c), c.req.valid("param").name)),
  );
