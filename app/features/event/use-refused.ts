import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";

/** Throws the refusal of a call in the language of the page. */
export function useRefused(): (error: unknown) => never {
  const { refuse } = useSection("register", KOREAN_REGISTER_TEXTS);
  const { problem } = useAccountTexts();
  const rules = useSignupRules();
  return (error) => refuse(error, (field, said) => problem(field, said, rules));
}
