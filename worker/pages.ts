import { bellOf } from "#worker/contract/mail/mail.ts";
import { UNFINISHED } from "#db/page-stamps.ts";
import { readPageCredential } from "./credential.ts";
import {
  isDataAddress,
  isOrdinaryMember,
  isPersonalPage,
  isSortedByViews,
  memberAddress,
  memberCacheKey,
  notePersonalPage,
  noteShownItems,
  pageScopes,
  sharedAddress,
  sharedPageItem,
  sharedPageList,
  shownItemsOf,
  standInFor,
  viewedBoardOf,
} from "./edge/shared-page.ts";
import { unlessUnchanged } from "./edge/not-modified.ts";
import {
  knownStamps,
  parseStamps,
  parseViews,
  readStamps,
  readViews,
  stampOf,
  viewedOf,
  writesSoFar,
} from "./edge/page-stamp.ts";
import { findPage, headersForReader, markStale, type StoredPage, storePage, takeTurn } from "./edge/page-store.ts";
import {
  fillPagePlaceholders,
  findPlaceholders,
  newNameToken,
  newToken,
  newViewsToken,
  type ReaderValues,
} from "./edge/placeholders.ts";
import type { PageCall, RenderedPage } from "./page-rendering.ts";

const loadRendering = async () => (rendering ??= await import("./page-rendering.ts"));
let rendering: typeof import("./page-rendering.ts") | undefined;

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

const UNAVAILABLE = 503;
/** How long D1 is left alone after an overload while stale pages are served. */
const REST_MS = 2000;
const databaseRest = { until: 0, writes: 0 };

export async function handlePage(request: Request, env: Env, ctx: ExecutionContext, requestId: string) {
  return unlessUnchanged(request, await answerPage(request, env, ctx, requestId));
}

async function answerPage(request: Request, env: Env, ctx: ExecutionContext, requestId: string) {
  const call: PageCall = { request, env, requestId, defer: (work) => ctx.waitUntil(work) };
  const asked = new URL(request.url);
  const url = import.meta.env.DEV ? null : sharedAddress(request, asked);
  const shared = url && (await answerGuest(call, url));
  if (shared) return shared;
  const memberUrl = import.meta.env.DEV ? null : memberAddress(request, asked);
  const kept = memberUrl && (await answerMember(call, memberUrl));
  if (kept) return kept;
  const nonce = newToken();
  const { renderPage } = await loadRendering();
  const { response } = await renderPage(call, nonce);
  return finishResponse(response.body, response, requestId, nonce);
}

/** Null before a restore is complete, so that no cached page is served. */
async function answerGuest(call: PageCall, url: URL): Promise<Response | null> {
  const values = { nonce: newToken() };
  const shows = pageScopes(url);
  const known = await knownStamps(call.env);
  if (UNFINISHED in known.stamps) return null;
  const stamp = stampOf(known.stamps, shows, isSortedByViews(url));
  const viewed = viewedOf(known.stamps, shows);
  const found = await findPage(url, stamp);
  const answerKept = async (page: StoredPage) => {
    const item = sharedPageItem(url);
    if (item) call.defer(loadRendering().then(({ countView }) => countView(call, item)));
    const { views } = await withViews(call, url, page, viewed);
    return finishKept(page, { ...values, views: new Map(views) }, call.requestId);
  };
  if (known.isCurrent && found.kept) return answerKept(found.kept);
  const writes = writesSoFar();
  if (!known.isCurrent) Object.assign(databaseRest, { until: Date.now() + REST_MS, writes });
  // Data cannot carry the notice; the browser reloads the whole page (app/root.tsx).
  const old = isDataAddress(url) ? null : found.old;
  const answerOld = (page: StoredPage) =>
    finishKept(markStale(page), { ...values, views: new Map(page.views) }, call.requestId);
  if (old && Date.now() < databaseRest.until && databaseRest.writes === writes) return answerOld(old);
  const turn = await takeTurn(url, stamp);
  if (turn.page) return answerKept(turn.page);
  try {
    const { tokens, counts, placeViews } = viewPlaceholders({ nonce: newToken() });
    const { renderPage } = await loadRendering();
    const request = new Request(url, call.request);
    const state = viewedBoardOf(url) ? { placeViews } : {};
    const rendered = await renderPage({ ...call, request }, tokens.nonce, shows, { state });
    const { response } = rendered;
    if (response.status === UNAVAILABLE) {
      Object.assign(databaseRest, { until: Date.now() + REST_MS, writes });
      if (old) {
        await response.body?.cancel();
        return answerOld(old);
      }
    }
    // The headers said guest; the looked-up session decides.
    const isShared = async () => (await rendered.scope.context()).actor.kind === "guest";
    // The turn ends only once the page is stored.
    return await finishShared(call, {
      key: url,
      rendered,
      tokens,
      values: { ...values, views: counts },
      isShared,
      stamp,
      viewed,
    });
  } finally {
    turn.end();
  }
}

/** Counts of now for a page that was viewed since it was rendered; those of then without the database. */
async function withViews(call: PageCall, url: URL, page: StoredPage, viewed: string | null): Promise<StoredPage> {
  const shown = itemsOf(page);
  if (page.viewed === viewed || shown.length === 0) return page;
  const views = await readViews(call.env.DB, viewedBoardOf(url), shown).catch(() => null);
  if (!views) return page;
  const renewed = { ...page, views, viewed: viewed ?? "" };
  call.defer(storePage(url, renewed));
  return renewed;
}

/** Collects the counts that a rendering replaces by placeholders. */
function viewPlaceholders<T extends ReaderValues>(others: T, counts = new Map<number, number>()) {
  const tokens = { ...others, views: new Map<number, number>() };
  const placeViews = (itemNo: number, viewCount: number) => {
    const token = tokens.views.get(itemNo) ?? newViewsToken();
    tokens.views.set(itemNo, token);
    counts.set(itemNo, viewCount);
    return token;
  };
  return { tokens, counts, placeViews };
}

/**
 * Serves a page shared by members of equal rights; null for content personal to this member. @param shownItems items
 * whose view counts are read along
 */
async function answerMember(call: PageCall, url: URL, shownItems = shownItemsOf(url)): Promise<Response | null> {
  const credential = readPageCredential(call.request);
  const personalKey = `${credential?.token.slice(-43)} ${url.pathname}${url.search}`;
  if (!credential || isPersonalPage(personalKey)) return null;
  const item = sharedPageItem(url);
  const scopes = pageScopes(url);
  const { boardCode = "", itemNo = 0 } = item ?? {};
  const place = { listedBoardCode: sharedPageList(url), boardCode, itemNo, scopes, shownItems };
  const { countView, readMember, renderPage } = await loadRendering();
  const { actor, trace } = await readMember(call, credential, place).catch(() => NOBODY);
  if (!actor || !isOrdinaryMember(actor) || trace?.isFound !== 0) {
    notePersonalPage(personalKey);
    return null;
  }
  const stamps = parseStamps(trace.stamps);
  // A write empties the stamp; the first reader renews it.
  const showsViews = isSortedByViews(url);
  const stamp = stampOf(stamps, scopes, showsViews) ?? stampOf(await readStamps(call.env.DB), scopes, showsViews);
  const isFollowing = trace.isFollowing === 1;
  const key = new URL(url);
  key.searchParams.set("audience", memberCacheKey(actor, isFollowing));
  const views = new Map(parseViews(trace.views));
  const { userId, userName } = actor;
  const values = { nonce: newToken(), userId, userName, bell: bellOf(trace.unread), views };
  const answer = (page: StoredPage) => {
    const shown = itemsOf(page);
    if (!shown.every((each) => shownItems.includes(each))) {
      noteShownItems(url, shown);
      return answerMember(call, url, shown);
    }
    if (item) countView(call, item, actor.userId);
    return finishKept(page, values, call.requestId);
  };
  const found = await findPage(key, stamp);
  if (found.kept) return answer(found.kept);
  const turn = await takeTurn(key, stamp);
  if (turn.page) return answer(turn.page);
  try {
    const own = {
      userId: newToken(),
      userName: newNameToken(userName),
      bell: { label: newToken(), badge: newToken() },
    };
    const { tokens, placeViews } = viewPlaceholders({ nonce: newToken(), ...own }, views);
    const state = { isFollowing, bell: tokens.bell, ...(viewedBoardOf(url) ? { placeViews } : {}) };
    const rendered = await renderPage(call, tokens.nonce, scopes, { actor: standInFor(actor, tokens), state });
    if (rendered.response.status !== 200) {
      await rendered.response.body?.cancel();
      return null;
    }
    if (item) countView(call, item, actor.userId);
    return await finishShared(call, { key, rendered, tokens, values, isShared: async () => true, stamp, viewed: null });
  } finally {
    turn.end();
  }
}

const itemsOf = ({ placeholders }: StoredPage) => [
  ...new Set(placeholders.flatMap(({ itemNo }) => (itemNo ? [itemNo] : []))),
];

const NOBODY = { actor: null, trace: undefined };

interface SharedRendering {
  key: URL;
  rendered: RenderedPage;
  tokens: ReaderValues;
  values: ReaderValues;
  isShared(): Promise<boolean>;
  stamp: string | null;
  /** Stamp of views, for guests. */
  viewed: string | null;
}

async function finishShared(call: PageCall, shared: SharedRendering): Promise<Response> {
  const { key, rendered, tokens, values, stamp, viewed } = shared;
  const { response } = rendered;
  const body = await response.arrayBuffer();
  const page = {
    body,
    headers: headersForReader(response.headers),
    placeholders: findPlaceholders(body, tokens, isDataAddress(key)),
    views: [...(values.views ?? [])],
    viewed: viewed ?? "",
    renderedMs: Date.now(),
  };
  if (response.status === 200 && stamp && !response.headers.has("Set-Cookie") && (await shared.isShared()))
    call.defer(storePage(key, { ...page, stamp, untilMs: await rendered.untilMs() }));
  return finishResponse(fillPagePlaceholders(page, values), response, call.requestId, values.nonce);
}

/** RFC 9211 names the header. */
const finishKept = (page: StoredPage, values: ReaderValues, requestId: string) => {
  const headers = { ...page.headers, "Cache-Status": "pages; hit" };
  return finishResponse(fillPagePlaceholders(page, values), { headers }, requestId, values.nonce);
};

/** Private and never stored, because the nonce is used once. */
function finishResponse(
  body: BodyInit | null,
  { status = 200, headers }: { status?: number; headers: Headers | Record<string, string> },
  requestId: string,
  nonce: string,
): Response {
  const own = new Headers(headers);
  own.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  // `no-transform`: Cloudflare's e-mail hiding would change the markup under React.
  own.set("Cache-Control", "private, no-store, no-transform");
  own.set("X-Request-Id", requestId);
  return new Response(body, { status, headers: own });
}
