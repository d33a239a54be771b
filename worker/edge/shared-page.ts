/** How long what a guest got may serve other guests; what other places of the network wrote is seen after that at the latest. */
export const SHARED_SECONDS = 50;

const LIST_CHOICE = ["page", "size", "sort", "category"];

/** Pages that are alike for every guest, in lower case and without a last slash, and what may stand in their address. */
const SHARED_PATHS: readonly (readonly [path: RegExp, params: readonly string[]])[] = [
  [/^\/$/, []],
  [/^\/[a-z][a-z0-9-]*\/(?:about|target|registration|organization|residence|center)$/, []],
  [/^\/[a-z][a-z0-9-]*\/center\/[a-z0-9-]+$/, []],
  [/^\/registry$/, []],
  [/^\/research\/(?:proposal|rules)$/, []],
  [/^\/(?:terms|privacy)$/, ["version", "compare"]],
  [/^\/tos\/content\/(?:privacy|terms)content$/, []],
  [/^\/board\/[^/]+\/(?:list|view\/\d+)$/, LIST_CHOICE],
  [/^\/board\/[^/]+\/rss\.xml$/, []],
  [/^\/(?:sitemap\.xml|robots\.txt)$/, []],
];
/** The router asks for a page's data under its address and `.data`; `_routes` says which loaders. */
const DATA_SUFFIX = /(?:\/_)?\.data$/;

/**
 * May one guest's answer to this serve every guest? Only the address decides what such an answer holds: neither who
 * asks nor any other header. Unknown parameters would stand in links of the page, so that with them it is nobody else's.
 */
export function isSharedPage(request: Request, url: URL): boolean {
  if (request.method !== "GET" || request.headers.has("Authorization")) return false;
  if (/(?:^|[;,\s])(?:__Host-)?accessToken\s*=/.test(request.headers.get("Cookie") ?? "")) return false;
  const isData = DATA_SUFFIX.test(url.pathname);
  const path =
    url.pathname
      .replace(DATA_SUFFIX, "")
      .replace(/(?<!\/)\/+$/, "")
      .toLowerCase() || "/";
  const known = SHARED_PATHS.find(([pattern]) => pattern.test(path))?.[1];
  if (!known || url.search.length > 500) return false;
  const names = [...url.searchParams.keys()];
  return (
    new Set(names).size === names.length &&
    names.every((name) => known.includes(name) || (isData && name === "_routes"))
  );
}

/** The item that a shared page shows, whose view counts though no verb runs. */
export function sharedPageItem(url: URL): { boardCode: string; itemNo: number } | null {
  const [, boardCode, itemNo] = /^\/board\/([^/]+)\/view\/(\d{1,9})(?:\/_?)?(?:\.data)?$/i.exec(url.pathname) ?? [];
  return boardCode && itemNo ? { boardCode: boardCode.toLowerCase(), itemNo: Number(itemNo) } : null;
}

/** Calls that write nothing a guest is shown, and come often. */
const UNSEEN_CALLS =
  /^\/api\/(?:user-key\/|user\/(?:signin|signout|find-id|reset-password|change-password|[^/]+\/(?:sessions|consents))|board-item\/search$|board-item-(?:draft|report)\/|file\/upload\/|alumni|case-report\/)/;

/** Did this call write what guests may be shown? When in doubt it did. */
export function isGuestVisibleWrite(request: Request, url: URL, status: number): boolean {
  if (request.method === "GET" || request.method === "HEAD" || status >= 400) return false;
  return !UNSEEN_CALLS.test(url.pathname);
}
