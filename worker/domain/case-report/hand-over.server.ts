import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { requireCaseReport } from "../kernel/identity.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";

/** Hands a member over to the service. @throws AppError UPSTREAM_UNAVAILABLE, also without a URL */
export async function issueCaseReportUrl(ctx: AppContext): Promise<{ url: string }> {
  authorize(ctx, { action: "CaseReport_Access" });
  requireCaseReport(ctx);
  const me = requireSignedIn(ctx);
  if (ctx.config.CASE_REPORT_URL === "") throw new AppError("UPSTREAM_UNAVAILABLE", { message: UI_MESSAGES.preparing });
  const url = await ctx.caseReport.handOver({ userId: me.userId, userName: me.userName });
  await ctx.db.batch([
    audit(ctx, { action: "caseReport.handOver", targetType: "user", targetId: me.userId, subjectCount: 1 }),
  ]);
  return { url };
}
