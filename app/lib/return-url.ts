import { useSearchParams } from "react-router";
import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";

/** A page of this site that returns to `returnUrl`. */
export const returningPath = (path: string, returnUrl: string | null): string =>
  returnUrl === null ? path : `${path}?returnUrl=${encodeURIComponent(returnUrl)}`;

const rootOf = (language: Language) => (language === "en" ? ENGLISH_ROOT : "");

/** The sign-in page that comes back to `path` (with its query). */
export const signinPathFor = (path: string, language: Language): string =>
  returningPath(`${rootOf(language)}/account/signin`, path);

/** The page that asks for the second factor and then goes on to `path`. */
export const secondFactorPathFor = (path: string, language: Language): string =>
  returningPath(`${rootOf(language)}/Account/SecondFactor`, path);

/** The last page that was asked for in this tab. The server never sees the part after `#`. */
let destination = { path: "", hash: "" };

/** Where this page was asked to lead, to be handed on to the next page on the way in. */
export const useReturningPath = () => {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return (path: string) => returningPath(path, returnUrl);
};

/** Notes the page that the router goes to; the pages on the way in do not count. */
export function noteDestination({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): void {
  if (!/^(?:\/en)?\/account\//i.test(pathname)) destination = { path: pathname + search, hash };
}

/** Loads the page that somebody wanted before they signed in, at the place of its `#`. */
export function followReturnUrl(returnUrl: string, hash = location.hash): void {
  location.replace(withLostHash(returnUrl, hash));
}

/** A redirect of the server keeps the place: the browser carries it along, the router does not. */
export function withLostHash(returnUrl: string, hash: string): string {
  if (returnUrl.includes("#")) return returnUrl;
  return returnUrl + (hash || (destination.path === returnUrl ? destination.hash : ""));
}
