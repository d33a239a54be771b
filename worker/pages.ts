import { unreadText } from "#worker/contract/mail/rules.ts";
import { UNFINISHED } from "#db/page-stamps.ts";
import { readPageCredential } from "./credential.ts";
import { audienceOf, isOrdinaryMember, isOwnPage, noteOwnPage, standInFor } from "./edge/audience.ts";
import { knownStamps, type PageStamps, readStamps, stampOf, writesSoFar } from "./edge/page-stamp.ts";
import { findPage, headersForReader, markStale, storePage, type StoredPage, takeTurn } from "./edge/page-store.ts";
import { fillPlaces, newToken, placesOf, type ReaderValues } from "./edge/places.ts";
import {
  isDataAddress,
  memberAddress,
  pageScopes,
  sharedAddress,
  sharedPageItem,
  sharedPageList,
} from "./edge/shared-page.ts";
import type { PageCall, RenderedPage } from "./page-rendering.ts";

/** What a kept page has no need of: a new isolate evaluates it for whoever asks for another one. */
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
/** A database that just had too much to do is left alone for a moment by whoever can be given an older page. */
const REST_MS = 2000;
/** A write that was taken since shows that it answers again. */
const databaseRest = { until: 0, writes: 0 };

/** Everything that is not an API call. What many get alike comes from the edge, with each reader's own in its places. */
export async function handlePage(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const call: PageCall = { request, env, requestId, defer: (work) => ctx.waitUntil(work) };
  const asked = new URL(request.url);
  // While a developer changes the source, no page is worth keeping.
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

/** null while a restore is not complete: then no kept page is shown, however old. */
async function answerGuest(call: PageCall, url: URL): Promise<Response | null> {
  const values = { nonce: newToken() };
  const shows = pageScopes(url);
  const known = await knownStamps(call.env);
  if (UNFINISHED in known.stamps) return null;
  const stamp = stampOf(known.stamps, shows);
  const found = await findPage(url, stamp);
  const answerKept = (page: StoredPage) => {
    const item = sharedPageItem(url);
    if (item) call.defer(loadRendering().then(({ countView }) => countView(call, item)));
    return finishKept(page, values, call.requestId);
  };
  if (known.isCurrent && found.kept) return answerKept(found.kept);
  const writes = writesSoFar();
  if (!known.isCurrent) Object.assign(databaseRest, { until: Date.now() + REST_MS, writes });
  // A page's data cannot say how old it is: the browser asks for the whole page instead (app/root.tsx).
  const old = isDataAddress(url) ? null : found.old;
  const answerOld = (page: StoredPage) => finishKept(markStale(page), values, call.requestId);
  if (old && Date.now() < databaseRest.until && databaseRest.writes === writes) return answerOld(old);
  const turn = await takeTurn(url, stamp);
  if (turn.page) return answerKept(turn.page);
  try {
    const tokens = { nonce: newToken() };
    const { renderPage } = await loadRendering();
    const rendered = await renderPage({ ...call, request: new Request(url, call.request) }, tokens.nonce, shows);
    const { response } = rendered;
    if (response.status === UNAVAILABLE) {
      Object.assign(databaseRest, { until: Date.now() + REST_MS, writes });
      if (old) {
        await response.body?.cancel();
        return answerOld(old);
      }
    }
    // The address and the headers said guest; the session that was looked up has the last word.
    const isShared = async () => (await rendered.scope.context()).actor.kind === "guest";
    // Till the page is at hand the turn is not over.
    return await finishShared(call, { key: url, rendered, tokens, values, isShared, stamp });
  } finally {
    turn.end();
  }
}

/**
 * A member's page as anybody of the same rights gets it, rendered for nobody of them; null where it would show this member
 * something of their own: then it is rendered for them alone.
 */
async function answerMember(call: PageCall, url: URL): Promise<Response | null> {
  const credential = readPageCredential(call.request);
  const ownKey = `${credential?.token.slice(-43)} ${url.pathname}${url.search}`;
  if (!credential || isOwnPage(ownKey)) return null;
  const item = sharedPageItem(url);
  const scopes = pageScopes(url);
  const { boardCode = "", itemNo = 0 } = item ?? {};
  const place = { listedBoardCode: sharedPageList(url), boardCode, itemNo, scopes };
  // Their own rendering says what could not be read.
  const { countView, readMember, renderPage } = await loadRendering();
  const { actor, trace } = await readMember(call, credential, place).catch(() => NOBODY);
  if (!actor || !isOrdinaryMember(actor) || trace?.isFound !== 0) {
    noteOwnPage(ownKey);
    return null;
  }
  const stamps = JSON.parse(trace.stamps) as PageStamps;
  // Emptied by a write: whoever reads it first renews it.
  const stamp = stampOf(stamps, scopes) ?? stampOf(await readStamps(call.env.DB), scopes);
  const isFollowing = trace.isFollowing === 1;
  const unread = unreadText(trace.unread);
  const key = new URL(url);
  key.searchParams.set("audience", audienceOf(actor, { isFollowing, hasUnread: trace.unread > 0 }));
  const values = { nonce: newToken(), userId: actor.userId, userName: actor.userName, unread };
  const answer = (page: StoredPage) => {
    if (item) countView(call, item, actor.userId);
    return finishKept(page, values, call.requestId);
  };
  const found = await findPage(key, stamp);
  if (found.kept) return answer(found.kept);
  const turn = await takeTurn(key, stamp);
  if (turn.page) return answer(turn.page);
  try {
    const tokens = { nonce: newToken(), userId: newToken(), userName: newToken(), unread: newToken() };
    const state = { isFollowing, unread: trace.unread > 0 ? tokens.unread : unread };
    const rendered = await renderPage(call, tokens.nonce, scopes, { actor: standInFor(actor, tokens), state });
    if (rendered.response.status !== 200) {
      await rendered.response.body?.cancel();
      return null;
    }
    if (item) countView(call, item, actor.userId);
    return await finishShared(call, { key, rendered, tokens, values, isShared: async () => true, stamp });
  } finally {
    turn.end();
  }
}

const NOBODY = { actor: null, trace: undefined };

interface SharedRendering {
  /** Under which it is kept. */
  key: URL;
  rendered: RenderedPage;
  tokens: ReaderValues;
  /** Of who gets it first. */
  values: ReaderValues;
  isShared(): Promise<boolean>;
  /** Of what it shows, as it was before. */
  stamp: string | null;
}

async function finishShared(call: PageCall, shared: SharedRendering): Promise<Response> {
  const { key, rendered, tokens, values, stamp } = shared;
  const { response } = rendered;
  const body = await response.arrayBuffer();
  const page = {
    body,
    headers: headersForReader(response.headers),
    places: placesOf(body, tokens, isDataAddress(key)),
    renderedMs: Date.now(),
  };
  if (response.status === 200 && stamp && !response.headers.has("Set-Cookie") && (await shared.isShared()))
    call.defer(storePage(key, { ...page, stamp, untilMs: await rendered.untilMs() }));
  return finishResponse(fillPlaces(page, values), response, call.requestId, values.nonce);
}

const finishKept = (page: StoredPage, values: ReaderValues, requestId: string) =>
  finishResponse(fillPlaces(page, values), { headers: page.headers }, requestId, values.nonce);

/** Whoever gets it, keeps it for themselves and no longer than they look at it: its nonce is used once. */
function finishResponse(
  body: BodyInit | null,
  { status = 200, headers }: { status?: number; headers: Headers | Record<string, string> },
  requestId: string,
  nonce: string,
): Response {
  const own = new Headers(headers);
  own.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  // `no-transform`: a zone that hides e-mail addresses in pages would change them under React's hands.
  own.set("Cache-Control", "private, no-store, no-transform");
  own.set("X-Request-Id", requestId);
  return new Response(body, { status, headers: own });
}
