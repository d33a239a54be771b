import { useRootData } from "#app/lib/root-data.ts";
import { type Rules, RULES } from "#worker/contract/kernel/identity-rules.ts";

/** What the site asks of names, passwords and addresses. */
export const useRules = (): Rules => useRootData<{ rules: Rules }>()?.rules ?? RULES;
