import { createRequestHandler, RouterContextProvider } from "react-router";
import { pageRequest } from "#app/lib/page-context.server.ts";
import { type Credential, openDoor, readCredential } from "./context.server.ts";

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

/** Everything that is not an API call: rendered on the server, personal, never kept by a shared cache. */
export async function handlePage(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
  const context = new RouterContextProvider();
  const door = openDoor({ request, env, requestId, credential: pageCredential(request), defer });
  context.set(pageRequest, { door, requestId, nonce });
  const response = await render(request, context);
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", policy(nonce));
  headers.set("Cache-Control", "private, no-store");
  headers.set("X-Request-Id", requestId);
  return new Response(response.body, { status: response.status, headers });
}
