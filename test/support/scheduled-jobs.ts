import * as jobs from "#worker/jobs.ts";
import { runInvocation, Invocation, PLATFORM_LIMITS } from "./platform-meter.ts";

/** An invocation with only as many subrequests left as the job declares. */
function fullBut(statements: number): Invocation {
  const invocation = new Invocation();
  invocation.statements = PLATFORM_LIMITS.statementsPerInvocation - statements;
  return invocation;
}

/** Runs all jobs after whatever the last run was, so that a clock that a test moved has jumped. */
export const runJobsAtClock = (env: Env): Promise<void> =>
  runInvocation(() => jobs.runScheduledJobs(env, (run, job) => runInvocation(run, fullBut(job.statements))));
/** Runs all jobs of a site that ran until now. */
export async function runScheduledJobs(env: Env): Promise<void> {
  await env.DB.prepare("DELETE FROM age_clock").run();
  await runJobsAtClock(env);
}
export const runDueJobs: typeof jobs.runDueJobs = (...given) => runInvocation(() => jobs.runDueJobs(...given));
