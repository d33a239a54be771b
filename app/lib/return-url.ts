import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";

const HOME = "/";
const BASE = "http://site.invalid";
// Beginnings that a browser reads as another host, and characters it drops or turns into a slash.
const LEAVES_SITE = /^\/[/\\]|[\\\u0000-\u001f\u007f]/;
const DECODE_DEPTH = 3;

/** Where to go after sign-in: a path of this site and nothing else; home for all that is not plainly one. */
export function safeReturnUrl(value: string | null | undefined): string {
  if (!value?.startsWith("/") || LEAVES_SITE.test(value)) return HOME;
  const path = value.split(/[?#]/, 1)[0] ?? "";
  if (leavesSiteWhenDecoded(path)) return HOME;
  try {
    const url = new URL(value, BASE);
    if (url.origin !== BASE || url.username || LEAVES_SITE.test(url.pathname)) return HOME;
    if (/^(?:\/en)?\/account\/signin\/?$/i.test(url.pathname)) return HOME;
    return url.pathname + url.search + url.hash;
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

/** The sign-in page that comes back to `path` (with its query). */
export function signinPathFor(path: string, language: Language): string {
  return `${language === "en" ? ENGLISH_ROOT : ""}/account/signin?returnUrl=${encodeURIComponent(path)}`;
}

/** The page that asks for the second factor and then goes on to `path`. */
export function secondFactorPathFor(path: string, language: Language): string {
  return `${language === "en" ? ENGLISH_ROOT : ""}/Account/SecondFactor?returnUrl=${encodeURIComponent(path)}`;
}
