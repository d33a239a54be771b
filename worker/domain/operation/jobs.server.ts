import type { AppContext } from "#worker/domain/kernel/context.ts";
import { backUpNightly } from "./backup.server.ts";
import { remindDueConsents } from "../member/consent-reminder.server.ts";
import { listFilesNightly } from "./file-list.server.ts";
import { sweepAlumni } from "../alumni/clean-up.server.ts";
import { reindexStale } from "../board/search-index.server.ts";
import { refreshCounts } from "../case-report/counts.server.ts";
import { activateAgreements } from "../content/agreement-in-force.server.ts";
import { readBook } from "../alumni/alumni-settings.server.ts";
import { sweepFiles } from "../file/clean-up.server.ts";
import { deliverBulk } from "../mail/bulk-delivery.server.ts";
import { sendNotices } from "../board/notification.server.ts";
import { deliverDue } from "../mail/message.server.ts";
import { actOnRules } from "../privacy/retention.server.ts";
import { sweepExpired } from "./clean-up.server.ts";

/** What runs every ten minutes, in this order. */
export function jobsOf(ctx: AppContext): [name: string, run: () => Promise<void>][] {
  return [
    ["notices", () => sendNotices(ctx)],
    ["consent-reminders", () => remindDueConsents(ctx)],
    ["messages", () => deliverDue(ctx)],
    ["bulk-messages", () => deliverBulk(ctx)],
    ["files", async () => sweepFiles(ctx, (await readBook(ctx.db)).exportHours)],
    ["alumni", () => sweepAlumni(ctx)],
    ["search", async () => void (await reindexStale(ctx))],
    ["expired", () => sweepExpired(ctx)],
    ["case-report", async () => void (ctx.config.CASE_REPORT_URL && (await refreshCounts(ctx)))],
    ["agreements", () => activateAgreements(ctx)],
    ["retention", () => actOnRules(ctx)],
    ["backup", () => backUpNightly(ctx)],
    ["file-list", () => listFilesNightly(ctx)],
  ];
}
