import { useFrame } from "#app/features/site/shell/frame.ts";
import { type Rules, RULES } from "#worker/contract/account/rules.ts";

/** What the site asks of names, passwords and addresses. */
export const useRules = (): Rules => useFrame()?.rules ?? RULES;
