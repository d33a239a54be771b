import * as jobs from "#worker/jobs.ts";
import { runInvocation, Invocation, PLATFORM_LIMITS } from "./platform-meter.ts";

/** An invocation with only as many subrequests left as the job declares. */
function fullBut(statements: number): Invocation {
  const invocation = new Invocation();
  invocation.statements = PLATFORM_LIMITS.statementsPerInvocation - statements;
  return invocation;
}

export const runScheduledJobs = (env: Env): Promise<void> =>
  runInvocation(() => jobs.runScheduledJobs(env, (run, job) => runInvocation(run, fullBut(job.statements))));
export const runDueJobs: typeof jobs.runDueJobs = (...given) => runInvocation(() => jobs.runDueJobs(...given));
