import { sql } from "drizzle-orm";
import { job } from "#db/schema/operation.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { JOB_KILLED_MS } from "#worker/contract/operation/rules.ts";

type JobRecordContext = Pick<AppContext, "db" | "now">;

/** @returns the error; null without one, or while another run is active */
export async function runRecordedJob(ctx: JobRecordContext, name: string, run: () => Promise<void>): Promise<unknown> {
  if (!(await claimJob(ctx, name))) return null;
  let failure: unknown = null;
  try {
    await run();
  } catch (cause) {
    failure = cause;
  }
  const finishedDate = ctx.now();
  const ended = failure
    ? { finishedDate, status: "failed" as const, error: describeFailure(failure), killed: 0 }
    : { finishedDate, status: "ok" as const, error: "", killed: 0, okDate: finishedDate };
  await ctx.db
    .insert(job)
    .values({ name, startedDate: finishedDate, ...ended })
    .onConflictDoUpdate({ target: job.name, set: ended });
  return failure;
}

/** Allows one run at a time; a run silent for minutes counts as killed and restarts. */
async function claimJob(ctx: JobRecordContext, name: string): Promise<boolean> {
  const startedDate = ctx.now();
  const started = { startedDate, finishedDate: null, status: "running" as const, error: "" };
  const claimed = await ctx.db
    .insert(job)
    .values({ name, ...started })
    .onConflictDoUpdate({
      target: job.name,
      set: { ...started, killed: sql`${job.killed} + (${job.status} = 'running')` },
      setWhere: sql`${job.status} <> 'running' OR ${job.startedDate} < ${startedDate.getTime() - JOB_KILLED_MS} OR ${job.startedDate} > ${startedDate.getTime()}`,
    })
    .returning({ name: job.name });
  return claimed.length > 0;
}

/** First words only, because failed statements contain personal data. */
function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return "";
  return failure.message
    .replace(/\n.*$/s, "")
    .replace(/^Failed query:.*/, "Failed query")
    .slice(0, 200);
}
