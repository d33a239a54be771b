import { EVERY_MINUTES, JOB_KILLED_MS, type JobName } from "#worker/contract/operation/operation.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { alumniSettings, authorizeOffice } from "../alumni/setting.server.ts";
import { readAges } from "../audit/ages.server.ts";
import { cleanUpAlumni } from "../alumni/clean-up.server.ts";
import { sendNotifications } from "../board/notification.server.ts";
import { reindexStaleItems } from "../board/search-index.server.ts";
import { refreshSubjectCounts } from "../case-report/case-report.server.ts";
import { mailAnnouncedAgreements } from "../content/agreement-announced.server.ts";
import { activateDueAgreements } from "../content/agreement.server.ts";
import { authorizeEvents } from "../event/event-item.server.ts";
import { writeEventLetters } from "../event/event-letter.server.ts";
import { tellOfEdits } from "../event/told.server.ts";
import { freePlaces } from "../event/queue.server.ts";
import { runEventFees } from "../event/unpaid-fee.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { deliverBulkMessages } from "../mail/bulk-delivery.server.ts";
import { deliverTextMessages } from "../mail/text-delivery.server.ts";
import { deliverDueMessages } from "../mail/message.server.ts";
import { deleteOldDrafts, excludeRefused, settleMailings, writeMailings } from "../mailing/deliver-mailing.server.ts";
import { authorizeMailing } from "../mailing/mailing.server.ts";
import { deleteOldRoundDrafts, runRounds } from "../mailing/round.server.ts";
import { remindDueConsents } from "../member/consent-reminder.server.ts";
import { cleanUpMovings } from "../moving/clean-up.server.ts";
import { moveInSteps } from "../moving/moving.server.ts";
import { authorizeRetentionRun, runRetentionRules } from "../privacy/retention.server.ts";
import { describeFailure } from "../kernel/stepped-work.server.ts";
import { raiseAlarms } from "./alarm.server.ts";
import { drillInSteps } from "./backup-drill.server.ts";
import { backUpInSteps } from "./backup-run.server.ts";
import { job } from "#db/schema/operation.ts";
import { and, gt, isNotNull, lt, or, sql } from "drizzle-orm";
import { refreshToken, secondFactorChallenge, session, verification } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { keptAnswer, rateLimit } from "#db/schema/kernel.ts";
import { mailReport, message } from "#db/schema/mail.ts";
import { cleanUpActivity } from "../mail/activity.server.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";

export interface ScheduledJob {
  name: JobName;
  /** Jobs that work in steps are due every minute. */
  everyMinutes: number;
  /** Maximum database statements of a run; an invocation has 1,000. */
  statements: number;
  /** Checks a manual caller's right to the changed data. @throws AppError FORBIDDEN */
  authorize?: (ctx: AppContext) => void | Promise<void>;
  run(): Promise<void>;
}

const RUN_STATEMENTS = 500;
/** A step, with two triggers of each table added before it and removed after it. */
const BACKUP_STATEMENTS = 600;
const DRILL_STATEMENTS = 900;

const authorizeMailJobs = (ctx: AppContext) => authorizeMailing(ctx, "alumni");

export function scheduledJobs(ctx: AppContext): ScheduledJob[] {
  const jobs: (Omit<ScheduledJob, "statements" | "everyMinutes"> & { statements?: number })[] = [
    {
      name: "events",
      authorize: authorizeEvents,
      run: async () => {
        await freePlaces(ctx);
        await tellOfEdits(ctx);
        await writeEventLetters(ctx);
      },
    },
    { name: "notices", run: () => sendNotifications(ctx) },
    { name: "event-fees", run: () => runEventFees(ctx) },
    { name: "consent-reminders", run: () => remindDueConsents(ctx) },
    { name: "agreement-mails", run: () => mailAnnouncedAgreements(ctx) },
    { name: "messages", run: () => deliverDueMessages(ctx) },
    { name: "rounds", authorize: authorizeMailJobs, run: () => runRounds(ctx) },
    { name: "mailings", authorize: authorizeMailJobs, run: () => writeMailings(ctx) },
    {
      name: "bulk-messages",

      authorize: authorizeMailJobs,
      run: async () => {
        await deliverBulkMessages(ctx, (batchId) => excludeRefused(ctx, batchId));
        await settleMailings(ctx);
      },
    },
    {
      name: "text-messages",

      authorize: authorizeMailJobs,
      run: async () => {
        await deliverTextMessages(ctx, (batchId) => excludeRefused(ctx, batchId));
        await settleMailings(ctx);
      },
    },
    { name: "files", run: () => cleanUpFiles(ctx, alumniSettings(ctx).exportHours) },
    { name: "alumni", authorize: authorizeOffice, run: () => cleanUpAlumni(ctx) },
    { name: "search", run: async () => void (await reindexStaleItems(ctx, undefined, 10_000)) },
    {
      name: "expired",

      authorize: authorizeMailJobs,
      run: async () => {
        await cleanUpExpired(ctx);
        await deleteOldDrafts(ctx);
        await deleteOldRoundDrafts(ctx);
        await cleanUpMovings(ctx);
      },
    },
    {
      name: "case-report",

      run: async () => void (ctx.config.CASE_REPORT_URL && (await refreshSubjectCounts(ctx))),
    },
    { name: "agreements", run: () => activateDueAgreements(ctx) },
    {
      name: "retention",

      authorize: authorizeRetentionRun,
      run: () => runRetentionRules(ctx),
    },
    { name: "backup", statements: BACKUP_STATEMENTS, run: () => backUpInSteps(ctx) },
    { name: "drill", statements: DRILL_STATEMENTS, run: () => drillInSteps(ctx) },
    { name: "moving", run: () => moveInSteps(ctx) },
    { name: "alarms", run: () => raiseAlarms(ctx) },
  ];
  return jobs.map((jobName) => ({ statements: RUN_STATEMENTS, everyMinutes: EVERY_MINUTES[jobName.name], ...jobName }));
}

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
  const { jump } = await readAges(ctx);
  const rows = await ctx.db.select().from(job);
  const now = ctx.now().getTime();
  const lateness = (each: ScheduledJob) => {
    const row = rows.find(({ name }) => name === each.name);
    if (!row || jobLateMs(row.startedDate, each.everyMinutes, ctx.now()) === null) return Number.POSITIVE_INFINITY;
    const age = now - row.startedDate.getTime();
    if (row.status === "running" && age < JOB_KILLED_MS) return 0;
    // The office learns of a jump in the same run, which may be the only one.
    if (jump && each.name === "alarms") return Number.POSITIVE_INFINITY;
    return (age + SLACK_MS) / (each.everyMinutes * MINUTE_MS);
  };
  return scheduledJobs(ctx)
    .map((each) => ({ each, late: lateness(each) }))
    .filter(({ late }) => late >= 1)
    .toSorted((a, b) => b.late - a.late)
    .map(({ each }) => each);
}

type JobRecordContext = Pick<AppContext, "db" | "now">;

/** @returns the error, if the run failed; undefined while another run is active */
export async function runRecordedJob(ctx: JobRecordContext, name: string, run: () => Promise<void>): Promise<unknown> {
  if (!(await claimJob(ctx, name))) return undefined;
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

export async function cleanUpExpired(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const ages = await readAges(ctx);
  await ctx.db.batch([
    // No limit runs longer than a day: a later end was set by a fast clock.
    ctx.db
      .delete(rateLimit)
      .where(or(lt(rateLimit.resetDate, ages.before("limit")), gt(rateLimit.resetDate, ages.after(DAY_MS + HOUR_MS)))),
    ctx.db.delete(keptAnswer).where(lt(keptAnswer.createdDate, ages.before("kept-answer"))),
    ctx.db
      .update(message)
      .set({
        pincode: null,
        subject: sql`replace(${message.subject}, ${message.pincode}, '******')`,
        body: sql`replace(${message.body}, ${message.pincode}, '******')`,
      })
      .where(and(isNotNull(message.pincode), lt(message.createdDate, ages.before("sent-code")))),
    ctx.db.delete(secondFactorChallenge).where(lt(secondFactorChallenge.expiresDate, ages.before("factor-challenge"))),
    ctx.db.delete(mailReport).where(lt(mailReport.createdDate, ages.before("mail-report"))),
    ctx.db.delete(verification).where(lt(verification.expiresDate, ages.before("verification"))),
    ctx.db.delete(boardItemView).where(lt(boardItemView.day, ages.before("view-count").toISOString().slice(0, 10))),
    ctx.db.delete(refreshToken).where(lt(refreshToken.expiresDate, ages.before("refresh-token"))),
    cleanUpActivity(ctx, ages),
  ]);
  await ctx.db
    .delete(session)
    .where(
      or(
        lt(session.expiresDate, ages.before("ended-session")),
        and(isNotNull(session.revokedDate), lt(session.revokedDate, ages.before("revoked-session"))),
      ),
    );
}
