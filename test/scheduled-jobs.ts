import * as jobs from "#worker/jobs.ts";
import { asInvocation } from "./platform-meter.ts";

/** Jobs as the schedule fires them: one invocation. */
export const runScheduledJobs: typeof jobs.runScheduledJobs = (...given) =>
  asInvocation(() => jobs.runScheduledJobs(...given));
export const runDueJobs: typeof jobs.runDueJobs = (...given) => asInvocation(() => jobs.runDueJobs(...given));
