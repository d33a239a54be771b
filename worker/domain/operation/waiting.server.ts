import { eq, isNull } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { message } from "#db/schema/mail.ts";
import { job } from "#db/schema/operation.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { ConsoleWaiting, WaitingPath } from "#worker/contract/kernel/console/console-pages.ts";
import type { SitePermission } from "#worker/contract/kernel/permissions.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { can, requireSignedIn } from "../kernel/authorize.server.ts";
import { countRows } from "../kernel/page.server.ts";
import { managedReports, openReportsStatement } from "../board/report.server.ts";
import { waitingCorrectionsStatement } from "../alumni/correction.server.ts";
import { undecidedAddressesStatement } from "../alumni/held-address.server.ts";
import { openDepositsStatement } from "../alumni/dues/bank.server.ts";
import { waitingInquiriesStatement } from "../inquiry/inquiry.server.ts";

const waitingStatements = (db: Db) =>
  [
    countRows(db, user, eq(user.status, "waiting")),
    waitingInquiriesStatement(db),
    waitingCorrectionsStatement(db),
    undecidedAddressesStatement(db),
    openDepositsStatement(db),
    openReportsStatement(db),
    countRows(db, privacyRequest, isNull(privacyRequest.closedDate)),
    countRows(db, message, eq(message.status, "failed")),
    countRows(db, job, eq(job.status, "failed")),
  ] as const;

/** Work that waits, by the console page that does it; nothing for those without the menu. */
export async function getConsoleWaiting(scope: RequestScope): Promise<ConsoleWaiting> {
  const { ctx, rows } = await scope.readFor(requireSignedIn, waitingStatements(scope.db));
  if (!can(ctx.actor, { action: "ADMIN_Access" })) return {};
  const [members, inquiries, corrections, addresses, deposits, reports, requests, messages, jobs] = rows;
  const countOf = (...found: readonly { count: number }[][]) =>
    found.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
  const countFor = (right: SitePermission, count: number) => (can(ctx.actor, { action: right }) ? count : 0);
  const waiting: Record<WaitingPath, number> = {
    Members: countOf(members),
    Inquiries: countFor("Inquiry_Answer", countOf(inquiries)),
    Representatives: countFor("Alumni_Write", countOf(corrections, addresses)),
    Deposits: countFor("Dues_Manage", countOf(deposits)),
    Reports: managedReports(ctx, reports),
    Privacy: countOf(requests),
    Messages: countOf(messages),
    Jobs: countOf(jobs),
  };
  return waiting;
}
