/** The last page requested in this tab; kept because the server never sees the hash. */
let destination = { path: "", hash: "" };

/** Records the router's destination, except account pages. */
export function noteDestination({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): void {
  if (!/^(?:\/en)?\/account\//i.test(pathname)) destination = { path: pathname + search, hash };
}

export function followReturnUrl(returnUrl: string): void {
  location.replace(withRestoredHash(returnUrl, location.hash));
}

/** Restores the hash, which browsers keep on a server redirect but the router does not. */
export function withRestoredHash(returnUrl: string, hash: string): string {
  if (returnUrl.includes("#")) return returnUrl;
  return returnUrl + (hash || (destination.path === returnUrl ? destination.hash : ""));
}

/** @returns the sign-in page's address whose `returnUrl` lost its hash, with it; otherwise null */
export function signinWithHash(href: string, shown: Pick<Location, "href" | "hash">): string | null {
  const url = new URL(href);
  const returnUrl = url.searchParams.get("returnUrl");
  if (returnUrl === null || !/^(?:\/en)?\/account\/signin\/?$/i.test(url.pathname)) return null;
  const restored = withRestoredHash(returnUrl, href === shown.href.split("#", 1)[0] ? shown.hash : "");
  if (restored === returnUrl) return null;
  url.searchParams.set("returnUrl", restored);
  return url.pathname + url.search;
}
