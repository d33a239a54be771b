/** The last page requested in this tab; kept because the server never sees the hash. */
let destination = { path: "", hash: "" };
let isOnWayIn = false;

/** Records the router's destination, except account pages. @returns the hash that a redirect from sign-in lost */
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

export function followReturnUrl(returnUrl: string): void {
  location.replace(withRestoredHash(returnUrl, location.hash));
}

/** Restores the hash, which browsers keep on a server redirect but the router does not. */
export function withRestoredHash(returnUrl: string, hash: string): string {
  if (returnUrl.includes("#")) return returnUrl;
  return returnUrl + (hash || (destination.path === returnUrl ? destination.hash : ""));
}
