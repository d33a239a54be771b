import { connectDatabase } from "#db/client.ts";
import { createCaseReport } from "./adapters/case-report.server.ts";
import { countStatements } from "./adapters/invocation.server.ts";
import { createImageShrinker } from "./adapters/images.server.ts";
import { createMessenger } from "./adapters/mail.server.ts";
import { createTokenSigner } from "./adapters/token.server.ts";
import { readConfig } from "./config.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { JOB_ADDRESS } from "#worker/contract/kernel/audit-actions.ts";
import { siteSettingsStatement, siteStateStatement, storedSettingsOf } from "./domain/access/actor.server.ts";
import { storedAccountRules } from "./domain/account/session.server.ts";
import {
  findDueJobs,
  runRecordedJob,
  type ScheduledJob,
  scheduledJobs,
} from "./domain/operation/job-schedule.server.ts";
import { logError } from "./log.ts";

/** A guest without rights, with the site's settings; null before a restore is complete. */
async function jobContext(env: Env, waiting: Promise<unknown>[]): Promise<AppContext | null> {
  const config = readConfig(env);
  const now = () => new Date();
  const db = connectDatabase(env.DB);
  const [states, siteSettings] = await db.batch([siteStateStatement(db), siteSettingsStatement(db)]);
  if (states[0] && states[0].unfinished !== null) return null;
  return {
    db,
    files: env.FILES,
    backups: env.BACKUPS,
    scratch: env.SCRATCH,
    kv: env.KV,
    images: createImageShrinker(env.IMAGES),
    messages: createMessenger(config),
    caseReport: createCaseReport(config),
    tokens: createTokenSigner(config),
    config,
    actor: { kind: "guest", permissions: { all: false, codes: new Set() } },
    guest: { kind: "guest", permissions: { all: false, codes: new Set() } },
    rules: storedAccountRules(siteSettings[0]?.rules ?? null),
    storedSettings: storedSettingsOf(states, siteSettings),
    client: { address: JOB_ADDRESS, userAgent: "", isAhead: false, isGone: () => false },
    origin: config.SITE_ORIGIN,
    requestId: crypto.randomUUID(),
    startedDate: now(),
    now,
    defer: (work) => void waiting.push(work),
  };
}

/** An invocation is limited to 1,000 statements and 30 seconds; jobs start only with room left. */
const TICK = { statements: 998, ms: 12_000 };

type RunJob = (run: () => Promise<unknown>, job: ScheduledJob) => Promise<unknown>;
const runAtOnce: RunJob = (run) => run();

/** Runs due jobs within the invocation's limits, most overdue first; the rest follows a minute later. */
export const runDueJobs = (env: Env, limits = TICK): Promise<string[]> => runWithin(env, findDueJobs, limits);

const allJobs = async (ctx: AppContext) => scheduledJobs(ctx);

/** Runs all jobs, due or not, up to one invocation's limits unless `runEach` is given. */
export async function runScheduledJobs(env: Env, runEach?: RunJob): Promise<void> {
  if (runEach) await runJobs(env, allJobs, () => true, runEach);
  else await runWithin(env, allJobs, TICK);
}

async function runWithin(env: Env, choose: (ctx: AppContext) => Promise<ScheduledJob[]>, limits: typeof TICK) {
  const counted = countStatements(env.DB);
  const scratch = env.SCRATCH && countStatements(env.SCRATCH);
  const count = () => counted.count() + (scratch?.count() ?? 0);
  const begun = Date.now();
  const ran: string[] = [];
  const mayBegin = (job: ScheduledJob) => {
    const isFull = count() + job.statements > limits.statements || Date.now() - begun >= limits.ms;
    if (isFull && ran.length > 0) return false;
    ran.push(job.name);
    return true;
  };
  await runJobs({ ...env, DB: counted.d1, ...(scratch && { SCRATCH: scratch.d1 }) }, choose, mayBegin);
  return ran;
}

/** A failing job does not stop the others. */
async function runJobs(
  env: Env,
  choose: (ctx: AppContext) => Promise<ScheduledJob[]>,
  mayBegin: (job: ScheduledJob) => boolean,
  runEach = runAtOnce,
): Promise<void> {
  const waiting: Promise<unknown>[] = [];
  const ctx = await jobContext(env, waiting);
  if (!ctx) return;
  for (const job of await choose(ctx)) {
    if (!mayBegin(job)) continue;
    const cause = await runEach(() => runRecordedJob(ctx, job.name, job.run), job);
    if (cause) logError({ requestId: ctx.requestId, path: `job:${job.name}`, code: "JOB", cause });
  }
  await Promise.allSettled(waiting);
}
