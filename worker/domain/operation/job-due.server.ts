import { job } from "#db/schema/operation.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { JOB_KILLED_MS } from "#worker/contract/operation/rules.ts";
import { type ScheduledJob, scheduledJobs } from "./job-schedule.server.ts";

const MINUTE_MS = 60_000;
/** A trigger comes a little early now and then, and clocks of two places differ. */
const SLACK_MS = 5000;

/** How long a run has been due; null where it was never begun, or begun by a clock that was ahead. */
export function jobLateMs(startedDate: Date | undefined, everyMinutes: number, now: Date): number | null {
  const age = startedDate ? now.getTime() - startedDate.getTime() : Number.NaN;
  return age >= -SLACK_MS ? Math.max(0, age - everyMinutes * MINUTE_MS) : null;
}

/** Jobs whose time has come, the most belated by its own measure first: none starves behind the others. */
export async function findDueJobs(ctx: AppContext): Promise<ScheduledJob[]> {
  const rows = await ctx.db.select().from(job);
  const now = ctx.now().getTime();
  const lateness = (each: ScheduledJob) => {
    const row = rows.find(({ name }) => name === each.name);
    if (!row || jobLateMs(row.startedDate, each.everyMinutes, ctx.now()) === null) return Number.POSITIVE_INFINITY;
    const age = now - row.startedDate.getTime();
    if (row.status === "running" && age < JOB_KILLED_MS) return 0;
    return (age + SLACK_MS) / (each.everyMinutes * MINUTE_MS);
  };
  return scheduledJobs(ctx)
    .map((each) => ({ each, late: lateness(each) }))
    .filter(({ late }) => late >= 1)
    .toSorted((a, b) => b.late - a.late)
    .map(({ each }) => each);
}
