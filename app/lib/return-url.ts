import { useSearchParams } from "react-router";
import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";

const HOME = "/";
const BASE = "http://site.invalid";
// Beginnings that a browser reads as another host, and characters it drops or turns into a slash.
const LEAVES_SITE = /^\/[/\\]|[\\\u0000-\u001f\u007f]/;
const DECODE_DEPTH = 3;
const DATA_SUFFIX = /(?:\/_(?:root)?)?\.data$/;
/** Addresses that answer with data alone. */
const NO_PAGE = /^\/(?:api|__manifest)(?:\/|$)/i;

/** The page's own path and query, also where the router asks for its data under `.data`. */
function pageAddress({ pathname, search }: URL): string {
  if (!DATA_SUFFIX.test(pathname)) return pathname + search;
  const query = new URLSearchParams(search);
  query.delete("_routes");
  const path = pathname.replace(DATA_SUFFIX, "") || HOME;
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Where to go after sign-in: a path of this site and nothing else; home for all that is not plainly one. */
export function safeReturnUrl(value: string | null | undefined): string {
  if (!value?.startsWith("/") || LEAVES_SITE.test(value)) return HOME;
  const path = value.split(/[?#]/, 1)[0] ?? "";
  if (leavesSiteWhenDecoded(path)) return HOME;
  try {
    const url = new URL(value, BASE);
    if (url.origin !== BASE || url.username || LEAVES_SITE.test(url.pathname)) return HOME;
    if (/^(?:\/en)?\/account\/signin\/?$/i.test(url.pathname) || NO_PAGE.test(url.pathname)) return HOME;
    return pageAddress(url) + url.hash;
  } catch {
    return HOME;
  }
}

/** Encoded once or more, for a proxy that decodes on the way. */
function leavesSiteWhenDecoded(path: string): boolean {
  let text = path;
  for (let depth = 0; depth < DECODE_DEPTH; depth++) {
    if (LEAVES_SITE.test(text)) return true;
    try {
      const decoded = decodeURIComponent(text);
      if (decoded === text) return false;
      text = decoded;
    } catch {
      return true;
    }
  }
  return LEAVES_SITE.test(text);
}

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
let isOnWayIn = false;

/** Where this page was asked to lead, to be handed on to the next page on the way in. */
export const useReturningPath = () => {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return (path: string) => returningPath(path, returnUrl);
};

/**
 * Notes the page that the router goes to; the pages on the way in do not count.
 * @returns the place in it that a redirect from the sign-in page lost
 */
export function noteDestination({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): string {
  if (/^(?:\/en)?\/account\//i.test(pathname)) {
    isOnWayIn = true;
    return "";
  }
  const path = pathname + search;
  const lost = isOnWayIn && hash === "" && path === destination.path ? destination.hash : "";
  isOnWayIn = lost !== "";
  destination = { path, hash: hash || lost };
  return lost;
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
