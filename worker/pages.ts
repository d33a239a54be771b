import { createRequestHandler, RouterContextProvider } from "react-router";
import { pageRequest } from "#app/lib/page-context.server.ts";
import { connectDatabase } from "#db/client.ts";
import { createTokenSigner } from "./adapters/token.server.ts";
import { readConfig } from "./config.ts";
import { requestClient, type Credential, openRequestScope, readCredential } from "./context.server.ts";
import { type ViewCountContext, countSharedView } from "./domain/board/view-count.server.ts";
import { fillInNonce, newNonce, noncePlacesOf } from "./edge/nonce.ts";
import { findStoredPage, storePage, type StoredPage, headersForReader, markStale } from "./edge/page-store.ts";
import { sharedAddress, sharedPageItem, SHARED_SECONDS } from "./edge/shared-page.ts";
import { takeTurn } from "./edge/single-flight.ts";

type RequestHandler = ReturnType<typeof createRequestHandler>;
const serverBuild = () => import("virtual:react-router/server-build");
let requestHandler: RequestHandler | undefined;

/** Of a build that is given as a function the router derives its routes anew for each request; the source of a developer changes. */
async function renderRoute(...asked: Parameters<RequestHandler>): Promise<Response> {
  requestHandler ??= createRequestHandler(
    import.meta.env.DEV ? serverBuild : await serverBuild(),
    import.meta.env.MODE,
  );
  return requestHandler(...asked);
}

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

/** A page is read by cookie alone; a bearer header of somebody's script means nothing here. */
function pageCredential(request: Request): Credential | null {
  return request.headers.has("Authorization") ? null : readCredential(request);
}

const UNAVAILABLE = 503;
/** A database that just had too much to do is left alone for a moment by whoever can be given an older page. */
const REST_MS = 2000;
/** A write that was taken since shows that it answers again. */
const databaseRest = { until: 0, writes: 0 };

/** Everything that is not an API call. What every guest gets alike comes from the edge, with a nonce of its own. */
export async function handlePage(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const url = sharedAddress(request, new URL(request.url));
  const nonce = newNonce();
  const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
  // While a developer changes the source, no page is worth keeping.
  if (import.meta.env.DEV || !url) {
    const { response } = await renderPage(request, env, requestId, nonce, defer);
    return finishResponse(response.body, response, requestId, nonce);
  }
  const found = await findStoredPage(url);
  const answer = (page: StoredPage) =>
    finishResponse(fillInNonce(page, nonce), { headers: page.headers }, requestId, nonce);
  const answerKept = (page: StoredPage) => {
    const item = sharedPageItem(url);
    if (item) countSharedView(viewCountContext(request, env, defer), item);
    return answer(page);
  };
  if (found.kept) return answerKept(found.kept);
  // A page's data cannot say how old it is: the browser asks for the whole page instead (app/root.tsx).
  const old = url.pathname.endsWith(".data") ? null : found.stale;
  if (old && Date.now() < databaseRest.until && databaseRest.writes === found.writes) return answer(markStale(old));
  const turn = await takeTurn(url, found, defer);
  if (turn.page) return answerKept(turn.page);
  const { stamp, writes } = turn.found;
  try {
    const token = newNonce();
    const rendered = await renderPage(new Request(url, request), env, requestId, token, defer);
    const { response } = rendered;
    if (response.status === UNAVAILABLE) {
      Object.assign(databaseRest, { until: Date.now() + REST_MS, writes });
      if (old) {
        await response.body?.cancel();
        return answer(markStale(old));
      }
    }
    const body = await response.arrayBuffer();
    const headers = headersForReader(response.headers);
    const places = noncePlacesOf(body, token);
    const page = { body, headers, places, stamp, renderedMs: Date.now() };
    // The address and the headers said guest; the session that was looked up has the last word.
    if (response.status === 200 && !response.headers.has("Set-Cookie") && (await rendered.isGuest()))
      defer(storePage(url, page, rendered.shareSeconds(), writes));
    return finishResponse(fillInNonce(page, nonce), response, requestId, nonce);
  } finally {
    turn.end();
  }
}

async function renderPage(
  request: Request,
  env: Env,
  requestId: string,
  nonce: string,
  defer: (work: Promise<unknown>) => void,
) {
  const context = new RouterContextProvider();
  const scope = openRequestScope({ request, env, requestId, credential: pageCredential(request), defer });
  const asked = { scope, requestId, nonce, shareSeconds: SHARED_SECONDS };
  context.set(pageRequest, asked);
  const response = await renderRoute(request, context);
  return {
    response,
    shareSeconds: () => asked.shareSeconds,
    isGuest: async () => (await scope.context()).actor.kind === "guest",
  };
}

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

function viewCountContext(request: Request, env: Env, defer: ViewCountContext["defer"]): ViewCountContext {
  const tokens = createTokenSigner(readConfig(env));
  return { db: connectDatabase(env.DB), tokens, client: requestClient(request), now: () => new Date(), defer };
}
