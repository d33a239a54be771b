import { useFrame } from "#app/features/shell/frame.ts";
import { type Rules, RULES } from "#worker/contract/user-rules.ts";

/** What the site asks of names, passwords and addresses. */
export const useRules = (): Rules => useFrame()?.rules ?? RULES;
