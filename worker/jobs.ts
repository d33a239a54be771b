import { connectDatabase } from "#db/client.ts";
import { createCaseReport } from "./adapters/case-report.server.ts";
import { createImageShrinker } from "./adapters/images.server.ts";
import { createMessenger } from "./adapters/mail.server.ts";
import { createTokenSigner } from "./adapters/token.server.ts";
import { readConfig } from "./config.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { JOB_ADDRESS } from "#worker/contract/kernel/job-address.ts";
import { RULES } from "#worker/contract/kernel/identity-rules.ts";
import { runRecordedJob } from "./domain/operation/job-record.server.ts";
import { scheduledJobs } from "./domain/operation/scheduled-jobs.server.ts";
import { logError } from "./log.ts";

/** Nobody's request: a guest without a right, from the job itself. */
function jobContext(env: Env, waiting: Promise<unknown>[]): AppContext {
  const config = readConfig(env);
  const now = () => new Date();
  return {
    db: connectDatabase(env.DB),
    files: env.FILES,
    kv: env.KV,
    images: createImageShrinker(env.IMAGES),
    messages: createMessenger(config),
    caseReport: createCaseReport(config),
    tokens: createTokenSigner(config),
    config,
    actor: { kind: "guest", permissions: { all: false, codes: new Set() } },
    guest: { kind: "guest", permissions: { all: false, codes: new Set() } },
    rules: RULES,
    storedSettings: { alumni: null, limits: null },
    client: { address: JOB_ADDRESS, userAgent: "" },
    origin: config.SITE_ORIGIN,
    requestId: crypto.randomUUID(),
    startedDate: now(),
    now,
    defer: (work) => void waiting.push(work),
  };
}

/** Every ten minutes. One job that fails does not keep the others from running. */
export async function runScheduledJobs(env: Env): Promise<void> {
  const waiting: Promise<unknown>[] = [];
  const ctx = jobContext(env, waiting);
  for (const [name, run] of scheduledJobs(ctx)) {
    const cause = await runRecordedJob(ctx, name, run);
    if (cause) logError({ requestId: ctx.requestId, path: `job:${name}`, code: "JOB", cause });
  }
  await Promise.allSettled(waiting);
}
