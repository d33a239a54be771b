import * as jobs from "#worker/jobs.ts";
import { runInvocation, Invocation, PLATFORM_LIMITS } from "./platform-meter.ts";

/** An invocation with only as many subrequests left as the job declares. */
function fullBut(statements: number): Invocation {
  const invocation = new Invocation();
  invocation.statements = PLATFORM_LIMITS.statementsPerInvocation - statements;
  return invocation;
}

/** Each starts after whatever the last run was, so that a clock that a test moved has jumped. */
export const runJobsAtClock = (env: Env, runs: (job: { name: string }) => boolean = () => true): Promise<void> =>
  runInvocation(() =>
    jobs.runScheduledJobs(env, async (run, job) =>
      runs(job) ? runInvocation(run, fullBut(job.statements)) : undefined,
    ),
  );

const continueClock = (env: Env) => env.DB.prepare("DELETE FROM age_clock").run();

/** Runs all jobs of a site that ran until now. */
export async function runAllJobs(env: Env): Promise<void> {
  await continueClock(env);
  await runJobsAtClock(env);
}

/** Without the first backup of a new storage and its drill, which take longer than all other jobs. */
export async function runScheduledJobs(env: Env): Promise<void> {
  await continueClock(env);
  await runJobsAtClock(env, ({ name }) => name !== "backup" && name !== "drill");
}

export const runDueJobs: typeof jobs.runDueJobs = (...given) => runInvocation(() => jobs.runDueJobs(...given));
