import { EVERY_MINUTES, type JobName } from "#worker/contract/operation/rules.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { alumniSettings } from "../alumni/alumni-settings.server.ts";
import { cleanUpAlumni } from "../alumni/clean-up.server.ts";
import { authorizeOffice } from "../alumni/office.server.ts";
import { sendNotifications } from "../board/notification.server.ts";
import { reindexStaleItems } from "../board/search-index.server.ts";
import { refreshSubjectCounts } from "../case-report/counts.server.ts";
import { mailAnnouncedAgreements } from "../content/agreement-mail.server.ts";
import { activateDueAgreements } from "../content/agreement-in-force.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { deliverBulkMessages } from "../mail/bulk-delivery.server.ts";
import { deliverTextMessages } from "../mail/text-delivery.server.ts";
import { deliverDueMessages } from "../mail/message.server.ts";
import { deleteOldDrafts, settleMailings, excludeRefused, writeMailings } from "../mailing/deliver-mailing.server.ts";
import { authorizeMailing } from "../mailing/mailing.server.ts";
import { deleteOldRoundDrafts } from "../mailing/round.server.ts";
import { runRounds } from "../mailing/round-wave.server.ts";
import { remindDueConsents } from "../member/consent-reminder.server.ts";
import { cleanUpMovings } from "../moving/clean-up.server.ts";
import { moveInSteps } from "../moving/moving-run.server.ts";
import { authorizeRetentionRun, runRetentionRules } from "../privacy/retention.server.ts";
import { raiseAlarms } from "./alarm.server.ts";
import { drillInSteps } from "./backup-drill.server.ts";
import { backUpInSteps } from "./backup-run.server.ts";
import { cleanUpExpired } from "./clean-up.server.ts";

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
const DRILL_STATEMENTS = 900;

const authorizeMailJobs = (ctx: AppContext) => authorizeMailing(ctx, "alumni");

export function scheduledJobs(ctx: AppContext): ScheduledJob[] {
  const jobs: (Omit<ScheduledJob, "statements" | "everyMinutes"> & { statements?: number })[] = [
    { name: "notices", run: () => sendNotifications(ctx) },
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
    { name: "backup", run: () => backUpInSteps(ctx) },
    { name: "drill", statements: DRILL_STATEMENTS, run: () => drillInSteps(ctx) },
    { name: "moving", run: () => moveInSteps(ctx) },
    { name: "alarms", run: () => raiseAlarms(ctx) },
  ];
  return jobs.map((job) => ({ statements: RUN_STATEMENTS, everyMinutes: EVERY_MINUTES[job.name], ...job }));
}
