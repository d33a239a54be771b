import { RETENTION_RULES, type RetentionRule } from "./retention-rules.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

interface RuleState {
  on: boolean;
  days: number;
}

export function retentionConsequences(
  before: readonly (RuleState & { rule: RetentionRule; due: number })[],
  after: Record<RetentionRule, RuleState>,
): string[] {
  return before.flatMap(({ rule, on, days, due }) => {
    const next = after[rule];
    const { label, since, min, max } = RETENTION_RULES[rule];
    // Invalid values are refused later, without a confirmation.
    if (!(next.days >= min && next.days <= max)) return [];
    if (!next.on || (on && next.days >= days)) return [];
    const count = `${formatCount(due)}건`;
    const shorter =
      next.days < days ? ` ${since}부터 ${days}일이던 기간이 ${next.days}일로 줄어 그보다 많아집니다.` : "";
    return [`${label}: 지금 기준으로 ${count}이 저절로 파기되며, 파기한 것은 되돌릴 수 없습니다.${shorter}`];
  });
}
