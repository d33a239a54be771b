import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { agreement } from "#db/schema/content.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { auditIfChanged } from "../kernel/audit-entry.server.ts";

/** Publishes the agreement from the text of /terms, so that both are identical. */
export function publishTermsStatements(ctx: AppContext, text: string, effectiveDate: Date, when: SQL) {
  const isNow = effectiveDate <= ctx.now() ? 1 : 0;
  const hash = createHash("sha256").update(text).digest("hex");
  const day = koreanDay(effectiveDate);
  return [
    ctx.db
      .update(agreement)
      .set({ isCurrent: false })
      .where(sql`${agreement.code} = 'terms' AND ${agreement.isCurrent} = 1 AND ${isNow} = 1 AND ${when}`),
    ctx.db.insert(agreement).select(sql`
      SELECT 'terms', ${day} || '.' || (SELECT max(version_no) FROM content_version WHERE code = 'terms'), title, required,
        ${text}, ${hash}, ${effectiveDate.getTime()}, ${isNow}, sort_order, 1 - ${isNow}, ${isNow ? null : ""}, 0
      FROM (SELECT title, required, sort_order, effective_date, version FROM agreement WHERE code = 'terms'
        UNION ALL SELECT '이용약관', 1, 0, -1, '')
      WHERE ${when} ORDER BY effective_date DESC, version DESC LIMIT 1`),
  ];
}

/** Activates announced versions that are due; a newer version published meanwhile stays current. */
export async function activateDueAgreements(ctx: AppContext): Promise<void> {
  const due = await ctx.db
    .select({ code: agreement.code, version: agreement.version, effectiveDate: agreement.effectiveDate })
    .from(agreement)
    .where(sql`${agreement.isAnnounced} = 1 AND ${agreement.effectiveDate} <= ${ctx.now().getTime()}`)
    .orderBy(agreement.effectiveDate, agreement.version);
  for (const { code, version, effectiveDate } of due) {
    await ctx.db.batch([
      ctx.db
        .update(agreement)
        .set({ isCurrent: false })
        .where(
          sql`code = ${code} AND is_current = 1 AND effective_date < ${effectiveDate.getTime()}
            AND EXISTS (SELECT 1 FROM agreement a WHERE a.code = ${code} AND a.version = ${version} AND a.is_announced = 1)`,
        ),
      ctx.db
        .update(agreement)
        .set({
          isAnnounced: false,
          mailedThrough: null,
          isCurrent: sql`NOT EXISTS (SELECT 1 FROM agreement c WHERE c.code = ${code} AND c.is_current = 1)`,
        })
        .where(sql`code = ${code} AND version = ${version} AND is_announced = 1`),
      auditIfChanged(ctx, {
        action: "agreement.begin",
        targetType: "agreement",
        targetId: code,
        detail: { after: { version } },
      }),
    ]);
  }
}
