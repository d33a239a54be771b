import { ERRORS } from "#worker/contract/kernel/errors.ts";
import type { FailureAnswer } from "#worker/contract/kernel/envelope.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";
import { createTokenSigner } from "#worker/adapters/token.server.ts";
import { readConfig } from "#worker/config.ts";
import { clientAddress, readCredential } from "#worker/credential.ts";

/** The bindings count by the minute. */
const PERIOD_SECONDS = 60;
/** Ways into an account and second proofs, by the call: what closes one of them leaves the others open. */
const ACCOUNT_CALL =
  /^\/api\/(user-key\/[a-z-]+|user\/(?:signin|signin-by-refresh-token|signup|find-id|reset-password|reset-password-token)|second-factor\/signin(?:-options)?|certificate\/check|confirmation)(?=\/|$)/;

/** Whom this instance turns away until when: address and call. A binding can be counted, not asked. */
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

export interface Fence {
  /** To be answered with 429 and nothing else. */
  isShut: boolean;
  /** Of a request that was let in. */
  noteAnswer(status: number): Promise<void>;
}
const countNothing = () => Promise.resolve();
const OPEN: Fence = { isShut: false, noteAnswer: countNothing };

/**
 * Stands before any look into the database, for requests that no signed-in person makes. An address may be a hospital or a
 * symposium: the wide bindings (wrangler.toml) hold all that comes from it below a flood. The narrow ones count what was
 * refused, of which people make little however many they are, and close that call to the address for a minute.
 */
export async function openFence(request: Request, env: Env, url: URL): Promise<Fence> {
  const address = clientAddress(request.headers.get("CF-Connecting-IP"));
  // Cloudflare always names an address; without one this is a developer's machine.
  if (["local", "127.0.0.1", "0:0:0:0"].includes(address)) return OPEN;
  const call = ACCOUNT_CALL.exec(url.pathname)?.[1];
  if (call === undefined) {
    // A signed token is nobody's to make up: its sender has limits of the account.
    const credential = readCredential(request);
    if (credential && (await createTokenSigner(readConfig(env)).verifyAccess(credential.token, new Date())))
      return OPEN;
  }
  const [flood, refusals] =
    call === undefined ? [env.STRANGER_FENCE, env.STRANGER_REFUSALS] : [env.ACCOUNT_FENCE, env.ACCOUNT_REFUSALS];
  const isRead = request.method === "GET" || request.method === "HEAD";
  // What is not there is looked for by search engines and old links, and a page is no way into anything.
  const isCounted = !isRead && url.pathname.startsWith("/api/");
  const key = `${address} ${call ?? "other"}`;
  return {
    isShut: (isCounted && isClosed(key)) || !(await flood.limit({ key: address })).success,
    noteAnswer: !isCounted
      ? countNothing
      : async (status) => {
          if (status >= 400 && status < 500 && !(await refusals.limit({ key })).success) close(key);
        },
  };
}

export function fenceResponse(url: URL): Response {
  const message = retryAfterMessage(PERIOD_SECONDS);
  const headers = { "Retry-After": String(PERIOD_SECONDS), "Cache-Control": "private, no-store" };
  const { status } = ERRORS.TOO_MANY_REQUESTS;
  if (!url.pathname.startsWith("/api/")) {
    return new Response(message, { status, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });
  }
  const answer: FailureAnswer = { code: "TOO_MANY_REQUESTS", message, requestId: crypto.randomUUID() };
  return Response.json(answer, { status, headers });
}
