import { EDITABLE_LIMITS, LIMIT_RULES, limitSetsSeconds } from "#worker/contract/kernel/limit-rules.ts";

/** The loosest allowed limits in the format of `site_setting`. */
export const LOOSEST_LIMITS = JSON.stringify(
  Object.fromEntries(EDITABLE_LIMITS.map((name) => [name, LIMIT_RULES[name][limitSetsSeconds(name) ? "min" : "max"]])),
);
