import { type ErrorCode, ERRORS, type FailureAnswer } from "#worker/contract/kernel/errors.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";
import { createTokenSigner } from "#worker/adapters/token.server.ts";
import { readConfig } from "#worker/config.ts";
import { clientAddress, readCredential } from "#worker/credential.ts";

const PERIOD_SECONDS = 60;
/** Sign-in and second factor calls, limited separately. */
const ACCOUNT_CALL =
  /^\/api\/(user-key\/[a-z-]+|user\/(?:signin|signin-by-refresh-token|signup|find-id|reset-password|reset-password-token)|second-factor\/signin(?:-options)?|certificate\/check|confirmation)(?=\/|$)/;

/** Limited by account or token in the database, so refusals do not close the address. */
const LIMITED_BY_ACCOUNT =
  /^(?:user\/(?:signin|signin-by-refresh-token|signup|reset-password|reset-password-token)|user-key\/(?:check|confirm)|second-factor\/signin)$/;

/** Local copy by address and call, because the binding can count but not be queried. */
const closed = new Map<string, number>();
const CLOSED_MAX = 10_000;

function isClosed(key: string): boolean {
  const until = closed.get(key);
  if (until !== undefined && until <= Date.now()) closed.delete(key);
  return closed.has(key);
}

function close(key: string): void {
  if (closed.size >= CLOSED_MAX) closed.clear();
  closed.set(key, Date.now() + PERIOD_SECONDS * 1000);
}

interface FloodGuard {
  isShut: boolean;
  noteAnswer(status: number): Promise<void>;
}
const countNothing = () => Promise.resolve();
const OPEN: FloodGuard = { isShut: false, noteAnswer: countNothing };

/**
 * Limits anonymous requests before any database access. Wide bindings (wrangler.toml) stop floods, narrow ones count
 * refusals, since many people may share an address.
 */
export async function openFloodGuard(request: Request, env: Env, url: URL): Promise<FloodGuard> {
  const address = clientAddress(request.headers.get("CF-Connecting-IP"));
  // Cloudflare always sets an address; without one this is local development.
  if (["local", "127.0.0.1", "0:0:0:0"].includes(address)) return OPEN;
  const call = ACCOUNT_CALL.exec(url.pathname)?.[1];
  if (call === undefined) {
    // Signed tokens cannot be forged, and accounts have their own limits.
    const credential = readCredential(request);
    if (credential && (await createTokenSigner(readConfig(env)).verifyAccess(credential.token, new Date())))
      return OPEN;
  }
  const [flood, refusals] =
    call === undefined ? [env.STRANGER_FENCE, env.STRANGER_REFUSALS] : [env.ACCOUNT_FENCE, env.ACCOUNT_REFUSALS];
  const isRead = request.method === "GET" || request.method === "HEAD";
  // Reads are not counted, because search engines and old links often miss.
  const isCounted = !isRead && url.pathname.startsWith("/api/") && !LIMITED_BY_ACCOUNT.test(call ?? "");
  const key = `${address} ${call ?? "other"}`;
  return {
    isShut: (isCounted && isClosed(key)) || !(await flood.limit({ key: call === undefined ? address : key })).success,
    noteAnswer: !isCounted
      ? countNothing
      : async (status) => {
          if (status >= 400 && status < 500 && !(await refusals.limit({ key })).success) close(key);
        },
  };
}

export const floodResponse = (url: URL): Response =>
  refusalOf(url, "TOO_MANY_REQUESTS", retryAfterMessage(PERIOD_SECONDS), { "Retry-After": String(PERIOD_SECONDS) });

/** This site's longest path has 8 segments, and the router's longest query 7,680 letters. */
const ADDRESS_LIMITS = {
  pathLength: 2048,
  pathSegments: 12,
  queryLength: 8192,
  queryParameters: 100,
  manifestPaths: 256,
} as const;

function hasMore(text: string, separator: RegExp, most: number): boolean {
  let count = 0;
  for (const _ of text.matchAll(separator)) if ((count += 1) > most) return true;
  return false;
}
const isPathTooLong = (path: string): boolean =>
  path.length > ADDRESS_LIMITS.pathLength || hasMore(path, /\/(?=.)|%2f/gi, ADDRESS_LIMITS.pathSegments);

/** Refuses long addresses before routing, whose cost grows with segments, routes and parameters. */
export function refuseLongAddress(url: URL): Response | null {
  const { pathname, search } = url;
  if (isPathTooLong(pathname)) return refusalOf(url, "NOT_FOUND");
  const isQueryTooLong =
    search.length > ADDRESS_LIMITS.queryLength || hasMore(search, /&/g, ADDRESS_LIMITS.queryParameters - 1);
  if (isQueryTooLong || asksTooManyRoutes(url)) return refusalOf(url, "INVALID_INPUT", "주소가 너무 깁니다.");
  return null;
}

function asksTooManyRoutes({ pathname, searchParams }: URL): boolean {
  if (pathname !== "/__manifest") return false;
  const paths = searchParams.get("paths")?.split(",") ?? [];
  return paths.length > ADDRESS_LIMITS.manifestPaths || paths.some(isPathTooLong);
}

function refusalOf(
  url: URL,
  code: ErrorCode,
  message: string = ERRORS[code].message,
  more: Record<string, string> = {},
): Response {
  const headers = { ...more, "Cache-Control": "private, no-store" };
  const { status } = ERRORS[code];
  if (url.pathname !== "/api" && !url.pathname.startsWith("/api/"))
    return new Response(message, { status, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });
  const answer: FailureAnswer = { code, message, requestId: crypto.randomUUID() };
  return Response.json(answer, { status, headers });
}
