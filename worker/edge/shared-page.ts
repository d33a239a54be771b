/** How long what a guest got may serve other guests; what other places of the network wrote is seen after that at the latest. */
export const SHARED_SECONDS = 50;

const LIST_CHOICE = ["category", "page", "size", "sort"];

interface SharedPath {
  /** In lower case and without a last slash. */
  path: RegExp;
  /** What may stand in the address of a shared page, in the order of its key. */
  shared?: readonly string[];
  /** What the page reads besides: with it, the page is for whoever asked alone. */
  own?: readonly string[];
}

/** Pages that are alike for every guest. Whatever their loaders read of the address is named here. */
const SHARED_PATHS: readonly SharedPath[] = [
  { path: /^\/$/ },
  { path: /^\/[a-z][a-z0-9-]*\/(?:about|target|registration|organization|residence|center)$/ },
  { path: /^\/[a-z][a-z0-9-]*\/center\/[a-z0-9-]+$/ },
  { path: /^\/registry$/ },
  { path: /^\/research\/(?:proposal|rules)$/ },
  { path: /^\/(?:terms|privacy)$/, shared: ["compare", "version"] },
  { path: /^\/tos\/content\/(?:privacy|terms)content$/ },
  { path: /^\/board\/[^/]+\/list$/, shared: LIST_CHOICE, own: ["keyword", "target", "showItemToMain"] },
  { path: /^\/board\/[^/]+\/view\/\d+$/, shared: LIST_CHOICE, own: ["keyword", "target"] },
  { path: /^\/board\/[^/]+\/(?:rss\.xml|calendar\.ics)$/ },
  { path: /^\/calendar$/, shared: ["board", "month"] },
  { path: /^\/(?:sitemap|sitemap\.xml|robots\.txt)$/ },
];
/** The frame of every page reads it: drafts, for those who edit them. */
const OWN_EVERYWHERE = ["preview"];
/** The router asks for a page's data under its address and `.data`; `_routes` says which loaders. */
const DATA_SUFFIX = /(?:\/_)?\.data$/;

/**
 * The address under which one guest's answer may serve every guest, or null when it may not. Only the address decides
 * what such an answer holds. What nothing reads (`fbclid`, `utm_source`) is left out, of the rendering too: its links
 * and its data are then those of the address that it is kept under.
 */
export function sharedAddress(request: Request, url: URL): URL | null {
  if (request.method !== "GET" || request.headers.has("Authorization")) return null;
  if (/(?:^|[;,\s])(?:__Host-)?accessToken\s*=/.test(request.headers.get("Cookie") ?? "")) return null;
  const isData = DATA_SUFFIX.test(url.pathname);
  const path =
    url.pathname
      .replace(DATA_SUFFIX, "")
      .replace(/(?<!\/)\/+$/, "")
      .toLowerCase() || "/";
  const known = SHARED_PATHS.find((shared) => shared.path.test(path));
  if (!known) return null;
  const given = url.searchParams;
  if ([...OWN_EVERYWHERE, ...(known.own ?? [])].some((name) => given.has(name))) return null;
  const address = new URL(url);
  address.search = "";
  for (const name of [...(known.shared ?? []), ...(isData ? ["_routes"] : [])]) {
    const values = given.getAll(name);
    if (values.length > 1) return null;
    if (values[0] !== undefined) address.searchParams.set(name, values[0]);
  }
  return address.search.length > 500 ? null : address;
}

/** The item that a shared page shows, whose view counts though no function runs. */
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

/** What is new hides nothing that pages showed before: a new item, a new comment. */
const ADDING_CALLS = /^\/api\/(?:board-item\/[^/]+|board-item-comment\/[^/]+\/[^/]+)$/;
export const isAddition = (request: Request, url: URL): boolean =>
  request.method === "PUT" && ADDING_CALLS.test(url.pathname);
