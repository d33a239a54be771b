import { useRootData } from "#app/lib/page-language.ts";
import { type AccountRules, RULES } from "#worker/contract/kernel/setting/identity-rules.ts";

export const useSignupRules = (): AccountRules => useRootData<{ rules: AccountRules }>()?.rules ?? RULES;
