import { type SQL, sql } from "drizzle-orm";
import type { PrivacySettings } from "#worker/contract/audit/retention-input.ts";
import { RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import type { RetentionRuleCount } from "#worker/contract/privacy/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { deletionWarningDueStatement, retentionDueStatement } from "./due.server.ts";

const COUNT_MAX = 1000;

const countOf = (statement: SQL) => sql<{ count: number }>`SELECT count(*) AS count FROM (${statement})`;

/** Counts up to a thousand per rule. The caller authorises. */
export function countDueRules(ctx: AppContext, { rules }: PrivacySettings): Promise<RetentionRuleCount[]> {
  const now = ctx.now();
  return Promise.all(
    RETENTION_RULE_CODES.map(async (rule) => {
      const { on, days } = rules[rule];
      const [due] = await ctx.db.all<{ count: number }>(countOf(retentionDueStatement(rule, days, now, COUNT_MAX)));
      const [tell] =
        rule === "inactive"
          ? await ctx.db.all<{ count: number }>(countOf(deletionWarningDueStatement(days, now, COUNT_MAX)))
          : [{ count: 0 }];
      return { rule, on, days, due: due?.count ?? 0, toTell: tell?.count ?? 0 };
    }),
  );
}
