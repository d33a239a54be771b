import { auditPath, auditSubjectsQuery, exportAuditInput, listAuditQuery } from "#worker/contract/audit/input.ts";
import { acknowledgeAlarmInput, backupPath, jobPath } from "#worker/contract/operation/input.ts";
import { listMessagesQuery, retryMessagesInput } from "#worker/contract/mail/input.ts";
import { exportAuditLog, listAuditLog, listAuditSubjects } from "#worker/domain/audit/audit-log.server.ts";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { acknowledgeAlarm } from "#worker/domain/operation/alarm.server.ts";
import { downloadBackup } from "#worker/domain/operation/backup-download.server.ts";
import { listJobs, runJobNow } from "#worker/domain/operation/job.server.ts";
import { noInput, reasonInput } from "#worker/contract/kernel/fields.ts";
import { listMessages, retryMessages } from "#worker/domain/mail/message-log.server.ts";
import { apiRoutes, fileCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/access.ts";

export const adminDashboardApi = apiRoutes().get("/", readCall(getDashboard));

export const adminAuditApi = apiRoutes()
  .get("/", readCall(listAuditLog, sent.query(listAuditQuery)))
  .get(
    "/:auditId",
    writeCall(listAuditSubjects, sent.path(auditPath, "auditId"), sent.query(auditSubjectsQuery, "page")),
  )
  .post("/export", recentSecondFactor, fileCall(exportAuditLog, sent.body(exportAuditInput)));

export const adminMessageApi = apiRoutes()
  .get("/", readCall(listMessages, sent.query(listMessagesQuery)))
  .post("/retry", writeCall(retryMessages, sent.body(retryMessagesInput)));

export const adminJobApi = apiRoutes()
  .get("/", readCall(listJobs))
  .post("/alarm/acknowledge", writeCall(acknowledgeAlarm, sent.body(acknowledgeAlarmInput, "key")))
  .post(
    "/backup/:name/export",
    recentSecondFactor,
    fileCall(downloadBackup, sent.path(backupPath, "name"), sent.body(reasonInput)),
  )
  .post("/:name/run", recentSecondFactor, writeCall(runJobNow, sent.path(jobPath, "name"), sent.body(noInput)));
