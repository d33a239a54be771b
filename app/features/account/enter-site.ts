import { returningPath, secondFactorPathFor, withRestoredHash } from "#app/lib/return-url.ts";
import { keepSession } from "#app/lib/session.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";

/** Loads a whole document after sign-in so that the page frame is the member's. */
export async function enterSite(tokens: TokenPair, returnUrl: string): Promise<never> {
  keepSession(tokens);
  const asked = tokens.pendingAgreements?.length ?? 0;
  const language = languageOf(location.pathname);
  const root = language === "en" ? ENGLISH_ROOT : "";
  const wanted = withRestoredHash(returnUrl, location.hash);
  const next = asked > 0 ? returningPath(`${root}/Account/Agreements`, wanted) : wanted;
  location.replace(tokens.secondFactor ? secondFactorPathFor(next, language) : next);
  return new Promise(() => {});
}
