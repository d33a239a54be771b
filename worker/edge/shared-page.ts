import { koreanPath } from "#worker/contract/kernel/language.ts";
import type { PageScope } from "./page-stamp.ts";

const LIST_CHOICE = ["category", "page", "size", "sort"];

/** For those who edit the page. On others it says nothing to a guest. */
const DRAFT = ["preview"];

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
  // The office's own pages, too; what is no page of anybody is not kept, since it is no answer of 200.
  {
    path: /^\/(?!(?:account|admin|alumni|api|board|certificate|confirm|dev|mail|mypage|sitemap)\/)[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/,
    own: DRAFT,
  },
  { path: /^\/[a-z][a-z0-9-]*\/center\/[a-z0-9-]+$/, own: DRAFT },
  { path: /^\/registry$/, own: DRAFT },
  { path: /^\/research\/(?:proposal|rules)$/, own: DRAFT },
  { path: /^\/(?:terms|privacy)$/, shared: ["compare", "version"], own: DRAFT },
  { path: /^\/tos\/content\/(?:privacy|terms)content$/, own: DRAFT },
  // The code as it is, not encoded: by it a write finds the pages that it touches.
  { path: /^\/board\/[a-z][a-z0-9-]*\/list$/, shared: LIST_CHOICE, own: ["keyword", "target", "showItemToMain"] },
  { path: /^\/board\/[a-z][a-z0-9-]*\/view\/\d+$/, shared: LIST_CHOICE, own: ["keyword", "target"] },
  { path: /^\/board\/[a-z][a-z0-9-]*\/(?:rss\.xml|calendar\.ics)$/ },
  { path: /^\/calendar$/, shared: ["board", "month"] },
  { path: /^\/(?:sitemap|sitemap\.xml|sitemap\/[a-z][a-z0-9-]*\.xml|robots\.txt)$/ },
];
/** The router asks for a page's data under its address and `.data`; `_routes` says which loaders. */
const DATA_SUFFIX = /(?:\/_)?\.data$/;

export const isDataAddress = ({ pathname }: URL) => DATA_SUFFIX.test(pathname);

/** The page's own path, whether it or its data is asked for, in lower case and without a last slash. */
export const plainPath = ({ pathname }: URL): string =>
  pathname
    .replace(DATA_SUFFIX, "")
    .replace(/(?<!\/)\/+$/, "")
    .toLowerCase() || "/";

const namesSession = (request: Request) =>
  /(?:^|[;,\s])(?:__Host-)?accessToken\s*=/.test(request.headers.get("Cookie") ?? "");

/**
 * The address under which one guest's answer may serve every guest, or null when it may not. Only the address decides
 * what such an answer holds. What nothing reads (`fbclid`, `utm_source`) is left out, of the rendering too: its links
 * and its data are then those of the address that it is kept under.
 */
export function sharedAddress(request: Request, url: URL): URL | null {
  const choice = namesSession(request) ? null : readSharedChoice(request, url);
  if (!choice) return null;
  const address = new URL(url);
  address.search = String(new URLSearchParams(choice));
  return address.search.length > SEARCH_MAX ? null : address;
}

/** The same for members: as it stands or not at all, since their pages go on in the browser under the address that it has. */
export function memberAddress(request: Request, url: URL): URL | null {
  const choice = namesSession(request) ? readSharedChoice(request, url) : null;
  return choice?.length === url.searchParams.size && url.search.length <= SEARCH_MAX ? url : null;
}

const SEARCH_MAX = 500;

/** What the address says that a shared page reads, in the order of its key; null where the page is not shared. */
function readSharedChoice(request: Request, url: URL): [name: string, value: string][] | null {
  if (request.method !== "GET" || request.headers.has("Authorization")) return null;
  const isData = isDataAddress(url);
  // An English page reads of its address what the Korean one reads.
  const path = koreanPath(plainPath(url));
  const known = SHARED_PATHS.find((shared) => shared.path.test(path));
  if (!known) return null;
  const given = url.searchParams;
  if (known.own?.some((name) => given.has(name))) return null;
  return [...(known.shared ?? []), ...(isData ? ["_routes"] : [])].flatMap((name) => {
    // One that is given twice stands in the address once, so that all loaders read the same of it.
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** What the page under a shared address shows; the frame around it is of the site. */
export function pageScopes(url: URL): PageScope[] {
  const path = koreanPath(plainPath(url));
  const boardCode = /^\/(?:board\/([^/]+)\/|sitemap\/(.+)-\d+\.xml$)/.exec(path)?.slice(1).find(Boolean);
  if (boardCode) return ["site", `board:${boardCode}`];
  // Home and the calendar show events of any board.
  return ["/", "/calendar", "/sitemap.xml"].includes(path) ? ["site", "boards"] : ["site"];
}

/** The board whose list a shared page shows. */
export const sharedPageList = (url: URL): string =>
  /^\/board\/([^/]+)\/list$/.exec(koreanPath(plainPath(url)))?.[1] ?? "";

/** The item that a shared page shows, whose view counts though no function runs. */
export function sharedPageItem(url: URL): { boardCode: string; itemNo: number } | null {
  const [, boardCode, itemNo] =
    /^(?:\/en)?\/board\/([^/]+)\/view\/(\d{1,9})(?:\/_?)?(?:\.data)?$/i.exec(url.pathname) ?? [];
  return boardCode && itemNo ? { boardCode: boardCode.toLowerCase(), itemNo: Number(itemNo) } : null;
}
