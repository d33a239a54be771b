import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { JobResult } from "#worker/contract/operation/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { backUpNow } from "./backup-run.server.ts";
import { scheduledJobs } from "./job-schedule.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { runRecordedJob } from "./job-record.server.ts";

/** Runs a backup at any hour. @throws AppError NOT_FOUND */
export async function runJobNow(ctx: AppContext, name: string): Promise<JobResult> {
  authorizeConsole(ctx);
  const found = scheduledJobs(ctx).find((job) => job.name === name);
  if (!found) throw new AppError("NOT_FOUND", { message: "그런 작업이 없습니다." });
  await found.authorize?.(ctx);
  const work = name === "backup" ? () => backUpNow(ctx) : found.run;
  const failure = await runRecordedJob(ctx, name, work);
  await audit(ctx, { action: "job.run", targetType: "job", targetId: name, detail: { ok: failure === null } }).run();
  return { name, ok: failure === null };
}
