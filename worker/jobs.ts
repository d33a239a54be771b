import { connect } from "#db/client.ts";
import { createCaseReport } from "./adapters/case-report.server.ts";
import { createMessenger } from "./adapters/messages.server.ts";
import { readConfig } from "./config.ts";
import { backUpNightly } from "./domain/admin/backup.server.ts";
import { recordJob } from "./domain/admin/job.server.ts";
import { purgeBins } from "./domain/board/manage.server.ts";
import { reindexStale } from "./domain/board/search-index.server.ts";
import { refreshCounts } from "./domain/case-report/counts.server.ts";
import { activateAgreements } from "./domain/content/agreement.server.ts";
import { sweepAlumni } from "./domain/alumni/sweep.server.ts";
import { sweepFiles } from "./domain/file/sweep.server.ts";
import { deliverDue } from "./domain/message.server.ts";
import { sweepExpired } from "./domain/sweep.server.ts";
import { logError } from "./log.ts";

/** Every ten minutes. One job that fails does not keep the others from running. */
export async function runJobs(env: Env): Promise<void> {
  const config = readConfig(env);
  const ctx = {
    db: connect(env.DB),
    files: env.FILES,
    kv: env.KV,
    messages: createMessenger(config),
    caseReport: createCaseReport(config),
    now: () => new Date(),
  };
  const jobs: [name: string, run: () => Promise<void>][] = [
    ["messages", () => deliverDue(ctx)],
    ["files", () => sweepFiles(ctx)],
    ["alumni", () => sweepAlumni(ctx)],
    ["search", async () => void (await reindexStale(ctx))],
    ["bins", () => purgeBins(ctx)],
    ["expired", () => sweepExpired(ctx)],
    ["case-report", async () => void (config.CASE_REPORT_URL && (await refreshCounts(ctx)))],
    ["agreements", () => activateAgreements(ctx)],
    ["backup", () => backUpNightly(ctx)],
  ];
  for (const [name, run] of jobs) {
    const cause = await recordJob(ctx, name, run);
    if (cause) logError({ requestId: "", path: `job:${name}`, code: "JOB", cause });
  }
}
