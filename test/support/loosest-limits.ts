import { EDITABLE_LIMITS, LIMIT_RULES, limitSetsSeconds } from "#worker/contract/kernel/limit-rules.ts";

/** As far as the office may open them, as `site_setting` stores them. */
export const LOOSEST_LIMITS = JSON.stringify(
  Object.fromEntries(EDITABLE_LIMITS.map((name) => [name, LIMIT_RULES[name][limitSetsSeconds(name) ? "min" : "max"]])),
);
