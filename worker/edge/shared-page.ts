import { koreanPath } from "#worker/contract/kernel/language.ts";
import type { PageScope } from "./page-stamp.ts";

const LIST_CHOICE = ["category", "page", "size", "sort"];

const DRAFT = ["preview"];

interface SharedPath {
  path: RegExp;
  /** Query parameters of the cache key, in order. */
  shared?: readonly string[];
  /** Query parameters that make the page uncacheable. */
  own?: readonly string[];
}

/** Pages equal for all guests; must list every query parameter their loaders read. */
const SHARED_PATHS: readonly SharedPath[] = [
  { path: /^\/$/ },
  // Includes the office's own pages; missing ones are not cached, since only 200 is.
  {
    path: /^\/(?!(?:account|admin|alumni|api|board|certificate|confirm|dev|mail|mypage|sitemap)\/)[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/,
    own: DRAFT,
  },
  { path: /^\/[a-z][a-z0-9-]*\/center\/[a-z0-9-]+$/, own: DRAFT },
  { path: /^\/registry$/, own: DRAFT },
  { path: /^\/research\/(?:proposal|rules)$/, own: DRAFT },
  { path: /^\/(?:terms|privacy)$/, shared: ["compare", "version"], own: DRAFT },
  { path: /^\/tos\/content\/(?:privacy|terms)content$/, own: DRAFT },
  // Codes are not encoded, so that a write finds its pages.
  { path: /^\/board\/[a-z][a-z0-9-]*\/list$/, shared: LIST_CHOICE, own: ["keyword", "target", "showItemToMain"] },
  { path: /^\/board\/[a-z][a-z0-9-]*\/view\/\d+$/, shared: LIST_CHOICE, own: ["keyword", "target"] },
  { path: /^\/board\/[a-z][a-z0-9-]*\/(?:rss\.xml|calendar\.ics)$/ },
  { path: /^\/calendar$/, shared: ["board", "month"] },
  { path: /^\/(?:sitemap|sitemap\.xml|sitemap\/[a-z][a-z0-9-]*\.xml|robots\.txt)$/ },
];
/** The router loads data from the address plus `.data`; `_routes` selects loaders. */
const DATA_SUFFIX = /(?:\/_)?\.data$/;

export const isDataAddress = ({ pathname }: URL) => DATA_SUFFIX.test(pathname);

const plainPath = ({ pathname }: URL): string =>
  pathname
    .replace(DATA_SUFFIX, "")
    .replace(/(?<!\/)\/+$/, "")
    .toLowerCase() || "/";

const namesSession = (request: Request) =>
  /(?:^|[;,\s])(?:__Host-)?accessToken\s*=/.test(request.headers.get("Cookie") ?? "");

/**
 * Cache key for guests, or null. Unread parameters (`fbclid`, `utm_source`) are removed before rendering, so that links
 * and data match the key.
 */
export function sharedAddress(request: Request, url: URL): URL | null {
  const choice = namesSession(request) ? null : readSharedChoice(request, url);
  if (!choice) return null;
  const address = new URL(url);
  address.search = String(new URLSearchParams(choice));
  return address.search.length > SEARCH_MAX ? null : address;
}

/** Only for an already normalised address, because the browser keeps using it. */
export function memberAddress(request: Request, url: URL): URL | null {
  const choice = namesSession(request) ? readSharedChoice(request, url) : null;
  return choice?.length === url.searchParams.size && url.search.length <= SEARCH_MAX ? url : null;
}

const SEARCH_MAX = 500;

function readSharedChoice(request: Request, url: URL): [name: string, value: string][] | null {
  if (request.method !== "GET" || request.headers.has("Authorization")) return null;
  const isData = isDataAddress(url);
  const path = koreanPath(plainPath(url));
  const known = SHARED_PATHS.find((shared) => shared.path.test(path));
  if (!known) return null;
  const given = url.searchParams;
  if (known.own?.some((name) => given.has(name))) return null;
  return [...(known.shared ?? []), ...(isData ? ["_routes"] : [])].flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
}

export function pageScopes(url: URL): PageScope[] {
  const path = koreanPath(plainPath(url));
  const boardCode = /^\/(?:board\/([^/]+)\/|sitemap\/(.+)-\d+\.xml$)/.exec(path)?.slice(1).find(Boolean);
  if (boardCode) return ["site", `board:${boardCode}`];
  return ["/", "/calendar", "/sitemap.xml"].includes(path) ? ["site", "boards"] : ["site"];
}

export const sharedPageList = (url: URL): string =>
  /^\/board\/([^/]+)\/list$/.exec(koreanPath(plainPath(url)))?.[1] ?? "";

/** Counts views of cached pages, whose loaders do not run. */
export function sharedPageItem(url: URL): { boardCode: string; itemNo: number } | null {
  const [, boardCode, itemNo] =
    /^(?:\/en)?\/board\/([^/]+)\/view\/(\d{1,9})(?:\/_?)?(?:\.data)?$/i.exec(url.pathname) ?? [];
  return boardCode && itemNo ? { boardCode: boardCode.toLowerCase(), itemNo: Number(itemNo) } : null;
}
