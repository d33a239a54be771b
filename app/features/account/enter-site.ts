import { returningPath, secondFactorPathFor, withLostHash } from "#app/lib/return-url.ts";
import { keepSession } from "#app/lib/session.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";

/**
 * Goes on after a sign-in, by way of what is still to be shown or agreed to. A whole document, so that the frame around the
 * page is the member's; the way back does not lead here.
 */
export async function enterSite(tokens: TokenPair, returnUrl: string): Promise<never> {
  keepSession(tokens);
  const asked = tokens.pendingAgreements?.length ?? 0;
  const language = languageOf(location.pathname);
  const root = language === "en" ? ENGLISH_ROOT : "";
  const wanted = withLostHash(returnUrl, location.hash);
  const next = asked > 0 ? returningPath(`${root}/Account/Agreements`, wanted) : wanted;
  location.replace(tokens.secondFactor ? secondFactorPathFor(next, language) : next);
  return new Promise(() => {});
}
