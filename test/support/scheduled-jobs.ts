import * as jobs from "#worker/jobs.ts";
import { asInvocation, Invocation, PLATFORM_LIMITS } from "./platform-meter.ts";

/** An invocation in which others have left no more than the job says that it asks. */
function fullBut(statements: number): Invocation {
  const invocation = new Invocation();
  invocation.statements = PLATFORM_LIMITS.statementsPerInvocation - statements;
  return invocation;
}

/** All jobs, each as late in its tick as it may begin. */
export const runScheduledJobs = (env: Env): Promise<void> =>
  asInvocation(() => jobs.runScheduledJobs(env, (run, job) => asInvocation(run, fullBut(job.statements))));
export const runDueJobs: typeof jobs.runDueJobs = (...given) => asInvocation(() => jobs.runDueJobs(...given));
