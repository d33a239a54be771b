import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { agreement } from "#db/schema/content.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";

/** The terms that a new member agrees to are the ones that /terms shows: one text, published once. */
export function publishTermsStatements(ctx: AppContext, text: string, effectiveDate: Date, when: SQL) {
  const isNow = effectiveDate <= ctx.now() ? 1 : 0;
  const hash = createHash("sha256").update(text).digest("hex");
  const day = koreanDay(effectiveDate);
  return [
    ctx.db
      .update(agreement)
      .set({ isCurrent: false })
      .where(sql`${agreement.code} = 'terms' AND ${agreement.isCurrent} = 1 AND ${isNow} = 1 AND ${when}`),
    // In the order of the table's columns, as drizzle writes them.
    // The first terms of a site become the first agreement, which everybody has to agree to.
    ctx.db.insert(agreement).select(sql`
      SELECT 'terms', ${day} || '.' || (SELECT max(version_no) FROM content_version WHERE code = 'terms'), title, required,
        ${text}, ${hash}, ${effectiveDate.getTime()}, ${isNow}, sort_order
      FROM (SELECT title, required, sort_order, effective_date, version FROM agreement WHERE code = 'terms'
        UNION ALL SELECT '이용약관', 1, 0, -1, '')
      WHERE ${when} ORDER BY effective_date DESC, version DESC LIMIT 1`),
  ];
}

/** Terms that were announced for a later day come into force on it. */
export async function activateDueAgreements(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const now = ctx.now().getTime();
  const newest = sql`(SELECT b.version FROM agreement b WHERE b.code = agreement.code AND b.effective_date <= ${now}
    ORDER BY b.effective_date DESC, b.version DESC LIMIT 1)`;
  const terms = sql`${agreement.code} = 'terms'`;
  await ctx.db.batch([
    ctx.db
      .update(agreement)
      .set({ isCurrent: false })
      .where(sql`${terms} AND ${agreement.isCurrent} = 1 AND ${agreement.version} <> ${newest}`),
    ctx.db
      .update(agreement)
      .set({ isCurrent: true })
      .where(
        sql`${terms} AND ${agreement.version} = ${newest}
          AND NOT EXISTS (SELECT 1 FROM agreement c WHERE c.code = 'terms' AND c.is_current = 1)`,
      ),
  ]);
}
