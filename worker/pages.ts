import { createRequestHandler, RouterContextProvider } from "react-router";
import { pageRequest } from "#app/lib/page-context.server.ts";
import { connect } from "#db/client.ts";
import { createTokens } from "./adapters/tokens.server.ts";
import { readConfig } from "./config.ts";
import { clientOf, type Credential, openDoor, readCredential } from "./context.server.ts";
import { type Counting, countSharedView } from "./domain/board/view-count.server.ts";
import { findPage, keepPage, newNonce, placesOf, readersHeaders, withNonce } from "./edge/page-store.ts";
import { isShared, itemOf, SHARED_SECONDS } from "./edge/shared-page.ts";

const render = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

function policy(nonce: string): string {
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

/** A page is read by cookie alone; a bearer header of somebody's script means nothing here. */
function pageCredential(request: Request): Credential | null {
  return request.headers.has("Authorization") ? null : readCredential(request);
}

/** Everything that is not an API call. What every guest gets alike comes from the edge, with a nonce of its own. */
export async function handlePage(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const url = new URL(request.url);
  const nonce = newNonce();
  const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
  // While a developer changes the source, no page is worth keeping.
  if (import.meta.env.DEV || !isShared(request, url)) {
    const { response } = await renderPage(request, env, requestId, nonce, defer);
    return finish(response.body, response, requestId, nonce);
  }
  const { kept, stamp } = await findPage(url);
  if (kept) {
    const item = itemOf(url);
    if (item) countSharedView(counting(request, env, defer), item);
    return finish(withNonce(kept, nonce), { headers: kept.headers }, requestId, nonce);
  }
  const token = newNonce();
  const { response, shareSeconds, isGuest } = await renderPage(request, env, requestId, token, defer);
  const body = await response.arrayBuffer();
  const page = { body, headers: readersHeaders(response.headers), places: placesOf(body, token), stamp };
  // The address and the headers said guest; the session that was looked up has the last word.
  if (response.status === 200 && !response.headers.has("Set-Cookie") && (await isGuest()))
    defer(keepPage(url, page, shareSeconds()));
  return finish(withNonce(page, nonce), response, requestId, nonce);
}

async function renderPage(
  request: Request,
  env: Env,
  requestId: string,
  nonce: string,
  defer: (work: Promise<unknown>) => void,
) {
  const context = new RouterContextProvider();
  const door = openDoor({ request, env, requestId, credential: pageCredential(request), defer });
  const asked = { door, requestId, nonce, shareSeconds: SHARED_SECONDS };
  context.set(pageRequest, asked);
  const response = await render(request, context);
  return {
    response,
    shareSeconds: () => asked.shareSeconds,
    isGuest: async () => (await door.context()).actor.kind === "guest",
  };
}

/** Whoever gets it, keeps it for himself and no longer than he looks at it: its nonce is used once. */
function finish(
  body: BodyInit | null,
  { status = 200, headers }: { status?: number; headers: Headers | Record<string, string> },
  requestId: string,
  nonce: string,
): Response {
  const own = new Headers(headers);
  own.set("Content-Security-Policy", policy(nonce));
  own.set("Cache-Control", "private, no-store");
  own.set("X-Request-Id", requestId);
  return new Response(body, { status, headers: own });
}

function counting(request: Request, env: Env, defer: Counting["defer"]): Counting {
  const tokens = createTokens(readConfig(env));
  return { db: connect(env.DB), tokens, client: clientOf(request), now: () => new Date(), defer };
}
