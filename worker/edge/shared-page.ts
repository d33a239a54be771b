import { ITEM_SCOPES } from "#db/page-stamps.ts";
import { isKorean, koreanPath } from "#worker/contract/kernel/language.ts";
import type { PageScope } from "./page-stamp.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { hasPermission } from "#worker/contract/kernel/permissions.ts";
import type { Actor, SignedInActor } from "#worker/domain/kernel/context.ts";

const LIST_CHOICE = ["category", "page", "seek", "size", "sort"];

const DRAFT = ["preview"];

interface SharedPath {
  path: RegExp;
  /** Query parameters of the cache key, in order. */
  shared?: readonly string[];
  /** Query parameters that make the page uncacheable. */
  uncached?: readonly string[];
}

/** Pages equal for all guests; must list every query parameter their loaders read. */
const SHARED_PATHS: readonly SharedPath[] = [
  { path: /^\/$/ },
  // Includes the office's own pages; missing ones are not cached, since only 200 is.
  {
    path: /^\/(?!(?:account|admin|alumni|api|board|certificate|confirm|dev|mail|mypage|sitemap|ticket)\/|research\/projects$)[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/,
    uncached: DRAFT,
  },
  { path: /^\/[a-z][a-z0-9-]*\/center\/[a-z0-9-]+$/, uncached: DRAFT },
  { path: /^\/registry$/, uncached: DRAFT },
  { path: /^\/research\/(?:proposal|rules)$/, uncached: DRAFT },
  { path: /^\/(?:terms|privacy)$/, shared: ["compare", "version"], uncached: DRAFT },
  { path: /^\/tos\/content\/(?:privacy|terms)content$/, uncached: DRAFT },
  // Codes are not encoded, so that a write finds its pages.
  { path: /^\/board\/[a-z][a-z0-9-]*\/list$/, shared: LIST_CHOICE, uncached: ["keyword", "target", "showItemToMain"] },
  { path: /^\/board\/[a-z][a-z0-9-]*\/view\/\d+$/, shared: LIST_CHOICE, uncached: ["keyword", "target"] },
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
  if (known.uncached?.some((name) => given.has(name))) return null;
  return [...(known.shared ?? []), ...(isData ? ["_routes"] : [])].flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
}

export function pageScopes(url: URL): PageScope[] {
  const path = koreanPath(plainPath(url));
  const boardCode = /^\/(?:board\/([^/]+)\/|sitemap\/(.+)-\d+\.xml$)/.exec(path)?.slice(1).find(Boolean);
  const itemNo = /^\/board\/[^/]+\/view\/(\d+)$/.exec(path)?.[1];
  const ofItems: PageScope = itemNo ? `item:${Number(itemNo) % ITEM_SCOPES}` : `items:${boardCode}`;
  if (boardCode) return ["site", `board:${boardCode}`, ofItems];
  return ["/", "/calendar", "/sitemap.xml"].includes(path) ? ["site", "boards"] : ["site"];
}

/** Items whose view counts a member's page shows, by address. */
const shownItems = new Map<string, number[]>();

export function shownItemsOf(url: URL): number[] {
  const item = sharedPageItem(url);
  return shownItems.get(url.pathname + url.search) ?? (item ? [item.itemNo] : []);
}

export function noteShownItems(url: URL, itemNos: number[]): void {
  if (shownItems.size >= CACHE_KEYS_MAX) shownItems.clear();
  shownItems.set(url.pathname + url.search, itemNos);
}

/** The board whose items' view counts the page shows; empty for other pages and lists sorted by them. */
export const viewedBoardOf = (url: URL): string =>
  isSortedByViews(url) ? "" : sharedPageList(url) || (sharedPageItem(url)?.boardCode ?? "");

export const sharedPageList = (url: URL): string =>
  /^\/board\/([^/]+)\/list$/.exec(koreanPath(plainPath(url)))?.[1] ?? "";

export const isSortedByViews = (url: URL): boolean => url.searchParams.get("sort")?.startsWith("viewCount") ?? false;

/** Counts views of cached pages, whose loaders do not run. */
export function sharedPageItem(url: URL): { boardCode: string; itemNo: number } | null {
  const [, boardCode, itemNo] =
    /^(?:\/en)?\/board\/([^/]+)\/view\/(\d{1,9})(?:\/_?)?(?:\.data)?$/i.exec(url.pathname) ?? [];
  return boardCode && itemNo ? { boardCode: boardCode.toLowerCase(), itemNo: Number(itemNo) } : null;
}

const OFFICE_CODE = /_Manage$/;

export const isOrdinaryMember = (actor: Actor): actor is SignedInActor =>
  actor.kind === "member" &&
  !hasPermission(actor.permissions, "ADMIN_Access") &&
  !actor.secondFactor?.withheld &&
  ![...actor.permissions.codes].some((code) => OFFICE_CODE.test(code));

const cacheKeys = new Map<string, string>();
const CACHE_KEYS_MAX = 200;

/** Cache key shared by members who see the same on every impersonal page. */
export function memberCacheKey(actor: SignedInActor, isFollowing: boolean): string {
  const { roleCode, roleName, permissions, lastingCodes, secondFactor, userName } = actor;
  const factor = secondFactor ? [secondFactor.hasFactor, secondFactor.isRequired] : [];
  const codes = [[...permissions.codes], [...lastingCodes]];
  const text = JSON.stringify([roleCode, roleName, codes, factor, isFollowing, isKorean(userName)]);
  const known = cacheKeys.get(text);
  if (known) return known;
  const cacheKey = sha256Base64Url(text);
  if (cacheKeys.size >= CACHE_KEYS_MAX) cacheKeys.clear();
  cacheKeys.set(text, cacheKey);
  return cacheKey;
}

/** An impersonal actor with the same rights; its name and id are placeholders. */
export const standInFor = (actor: SignedInActor, tokens: { userId: string; userName: string }): SignedInActor => ({
  ...actor,
  ...tokens,
  sessionId: "",
  ...(actor.secondFactor ? { secondFactor: { ...actor.secondFactor, provenDate: null } } : {}),
});

/** How long a page stays marked as personal. */
const PERSONAL_MS = 50_000;
const PERSONAL_MAX = 2000;
const personalPages = new Map<string, number>();

export function notePersonalPage(key: string): void {
  if (personalPages.size >= PERSONAL_MAX) personalPages.clear();
  personalPages.set(key, Date.now() + PERSONAL_MS);
}

export const isPersonalPage = (key: string): boolean => (personalPages.get(key) ?? 0) > Date.now();
