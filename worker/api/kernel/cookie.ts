import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionCookieName } from "#worker/config.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import type { ApiEnv } from "./http.ts";

const cookieOptions = (name: string) =>
  ({ httpOnly: true, sameSite: "Lax", secure: name.startsWith("__Host-"), path: "/" }) as const;

/** Repeats the access token for pages, files and images; accepted for GET and HEAD only. */
export function setSessionCookie(c: Context<ApiEnv>, accessToken: string): void {
  const name = sessionCookieName(c.req.url);
  // The browser measures token expiry by it; workerd does not send one.
  c.header("Date", new Date().toUTCString());
  setCookie(c, name, accessToken, { ...cookieOptions(name), maxAge: TOKEN_LIMITS.accessTtlSeconds });
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const name = sessionCookieName(c.req.url);
  deleteCookie(c, name, cookieOptions(name));
}
