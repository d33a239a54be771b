import * as jobs from "#worker/jobs.ts";
import { asInvocation, Invocation, PLATFORM_LIMITS } from "./platform-meter.ts";

/** An invocation with only as many subrequests left as the job declares. */
function fullBut(statements: number): Invocation {
  const invocation = new Invocation();
  invocation.statements = PLATFORM_LIMITS.statementsPerInvocation - statements;
  return invocation;
}

export const runScheduledJobs = (env: Env): Promise<void> =>
  asInvocation(() => jobs.runScheduledJobs(env, (run, job) => asInvocation(run, fullBut(job.statements))));
export const runDueJobs: typeof jobs.runDueJobs = (...given) => asInvocation(() => jobs.runDueJobs(...given));
