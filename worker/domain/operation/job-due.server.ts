import { job } from "#db/schema/operation.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { JOB_KILLED_MS } from "#worker/contract/operation/rules.ts";
import { type ScheduledJob, scheduledJobs } from "./job-schedule.server.ts";

const MINUTE_MS = 60_000;
/** Cron triggers can be early, and clocks differ. */
const SLACK_MS = 5000;

/** Null if the job never ran or its clock was ahead. */
export function jobLateMs(startedDate: Date | undefined, everyMinutes: number, now: Date): number | null {
  const age = startedDate ? now.getTime() - startedDate.getTime() : Number.NaN;
  return age >= -SLACK_MS ? Math.max(0, age - everyMinutes * MINUTE_MS) : null;
}

/** Most overdue first, relative to the interval, so that no job starves. */
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
