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
