import { useSearchParams } from "react-router";
import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";

const HOME = "/";
const BASE = "http://site.invalid";
// Prefixes that browsers read as another host, and characters that they drop or turn into slashes.
const LEAVES_SITE = /^\/[/\\]|[\\\u0000-\u001f\u007f]/;
const DECODE_DEPTH = 3;
const DATA_SUFFIX = /(?:\/_(?:root)?)?\.data$/;
const NO_PAGE = /^\/(?:api|__manifest)(?:\/|$)/i;

/** Returns the page's own path, without the `.data` suffix of the router's requests. */
function pageAddress({ pathname, search }: URL): string {
  if (!DATA_SUFFIX.test(pathname)) return pathname + search;
  const query = new URLSearchParams(search);
  query.delete("_routes");
  const path = pathname.replace(DATA_SUFFIX, "") || HOME;
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Returns a path of this site, or home for anything else, against open redirects. */
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

/** Decodes several times because a proxy may decode the path on the way. */
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

export const returningPath = (path: string, returnUrl: string | null): string =>
  returnUrl === null ? path : `${path}?returnUrl=${encodeURIComponent(returnUrl)}`;

const rootOf = (language: Language) => (language === "en" ? ENGLISH_ROOT : "");

export const signinPathFor = (path: string, language: Language): string =>
  returningPath(`${rootOf(language)}/account/signin`, path);

export const secondFactorPathFor = (path: string, language: Language): string =>
  returningPath(`${rootOf(language)}/Account/SecondFactor`, path);

export const useReturningPath = () => {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return (path: string) => returningPath(path, returnUrl);
};
