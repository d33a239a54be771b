import type { AppContext } from "#worker/domain/kernel/context.ts";
import { backUpDatabaseNightly } from "./backup.server.ts";
import { remindDueConsents } from "../member/consent-reminder.server.ts";
import { storeFileListNightly } from "./file-list.server.ts";
import { cleanUpAlumni } from "../alumni/clean-up.server.ts";
import { reindexStaleItems } from "../board/search-index.server.ts";
import { refreshSubjectCounts } from "../case-report/counts.server.ts";
import { activateDueAgreements } from "../content/agreement-in-force.server.ts";
import { readAlumniSettings } from "../alumni/alumni-settings.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { deliverBulkMessages } from "../mail/bulk-delivery.server.ts";
import { sendNotifications } from "../board/notification.server.ts";
import { deliverDueMessages } from "../mail/message.server.ts";
import { runRetentionRules } from "../privacy/retention.server.ts";
import { cleanUpExpired } from "./clean-up.server.ts";

/** What runs every ten minutes, in this order. */
export function scheduledJobs(ctx: AppContext): [name: string, run: () => Promise<void>][] {
  return [
    ["notices", () => sendNotifications(ctx)],
    ["consent-reminders", () => remindDueConsents(ctx)],
    ["messages", () => deliverDueMessages(ctx)],
    ["bulk-messages", () => deliverBulkMessages(ctx)],
    ["files", async () => cleanUpFiles(ctx, (await readAlumniSettings(ctx.db)).exportHours)],
    ["alumni", () => cleanUpAlumni(ctx)],
    ["search", async () => void (await reindexStaleItems(ctx))],
    ["expired", () => cleanUpExpired(ctx)],
    ["case-report", async () => void (ctx.config.CASE_REPORT_URL && (await refreshSubjectCounts(ctx)))],
    ["agreements", () => activateDueAgreements(ctx)],
    ["retention", () => runRetentionRules(ctx)],
    ["backup", () => backUpDatabaseNightly(ctx)],
    ["file-list", () => storeFileListNightly(ctx)],
  ];
}
