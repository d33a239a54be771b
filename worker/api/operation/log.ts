import { Hono } from "hono";
import { auditPath, auditSubjectsQuery, exportAuditInput, listAuditQuery } from "#worker/contract/audit/input.ts";
import { jobPath } from "#worker/contract/operation/input.ts";
import { listMessagesQuery, retryMessagesInput } from "#worker/contract/mail/input.ts";
import { auditSubjects } from "#worker/domain/audit/export-subject.server.ts";
import { exportAudit, listAudit } from "#worker/domain/audit/audit-log.server.ts";
import { dashboard } from "#worker/domain/operation/dashboard.server.ts";
import { listJobs } from "#worker/domain/operation/job.server.ts";
import { runJob } from "#worker/domain/operation/job-run.server.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { listMessages, retryMessages } from "#worker/domain/mail/message-log.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";
import { download } from "../kernel/download.ts";

export const adminDashboardApi = new Hono<ApiEnv>().get("/", async (c) => ok(c, await dashboard(c.var.door)));

/** Read and exported, never changed. */
export const adminAuditApi = new Hono<ApiEnv>()
  .get("/", query(listAuditQuery), async (c) => ok(c, await listAudit(c.var.door, c.req.valid("query"))))
  .get("/:auditId", path(auditPath), query(auditSubjectsQuery), async (c) =>
    ok(c, await auditSubjects(await opened(c), c.req.valid("param").auditId, c.req.valid("query").page)),
  )
  .post("/export", body(exportAuditInput), async (c) =>
    download(await exportAudit(await opened(c), c.req.valid("json"))),
  );

export const adminMessageApi = new Hono<ApiEnv>()
  .get("/", query(listMessagesQuery), async (c) => ok(c, await listMessages(c.var.door, c.req.valid("query"))))
  .post("/retry", body(retryMessagesInput), async (c) =>
    ok(c, await retryMessages(await opened(c), c.req.valid("json"))),
  );

export const adminJobApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listJobs(c.var.door)))
  .post("/:name/run", path(jobPath), body(noInput), async (c) =>
    ok(c, await runJob(await opened(c), c.req.valid("param").name)),
  );
