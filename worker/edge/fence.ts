import { ERRORS } from "#worker/contract/kernel/errors.ts";
import type { FailureAnswer } from "#worker/contract/kernel/envelope.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";
import { createTokenSigner } from "#worker/adapters/token.server.ts";
import { readConfig } from "#worker/config.ts";
import { clientAddress, readCredential } from "#worker/context.server.ts";

/** The binding counts by the minute. */
const PERIOD_SECONDS = 60;
const ACCOUNT_PATH =
  /^\/api\/(?:user-key\/|user\/(?:signin|signin-by-refresh-token|signup|find-id|reset-password|reset-password-token)$)/;

/**
 * Stands before any look into the database: too many requests of strangers from one address within a minute. The numbers
 * (wrangler.toml) hold a flood and let a hospital in, where hundreds share an address; exact limits stand in the database.
 */
export async function isBeyondFence(request: Request, env: Env, url: URL): Promise<boolean> {
  const address = clientAddress(request.headers.get("CF-Connecting-IP"));
  // Cloudflare always names an address; without one this is a developer's machine.
  if (["local", "127.0.0.1", "0:0:0:0"].includes(address)) return false;
  if (!ACCOUNT_PATH.test(url.pathname)) {
    // A signed token is nobody's to make up: its sender has limits of the account.
    const credential = readCredential(request);
    if (credential && (await createTokenSigner(readConfig(env)).verifyAccess(credential.token, new Date())))
      return false;
    return !(await env.STRANGER_FENCE.limit({ key: address })).success;
  }
  return !(await env.ACCOUNT_FENCE.limit({ key: address })).success;
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
