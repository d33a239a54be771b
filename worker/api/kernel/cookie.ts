import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { isLocalHost } from "#worker/config.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { ApiEnv } from "./http.ts";

/** The access token again, for pages, files and images that the browser asks for by itself; honoured for GET and HEAD alone. */
export const SESSION_COOKIE = "accessToken";

const cookieOptions = (c: Context<ApiEnv>) => {
  const { protocol, hostname } = new URL(c.req.url);
  const plainLocal = protocol === "http:" && isLocalHost(hostname);
  return { httpOnly: true, sameSite: "Lax", secure: !plainLocal, path: "/" } as const;
};

export function setSessionCookie(c: Context<ApiEnv>, accessToken: string): void {
  setCookie(c, SESSION_COOKIE, accessToken, { ...cookieOptions(c), maxAge: TOKEN_LIMITS.accessTtlSeconds });
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  deleteCookie(c, SESSION_COOKIE, cookieOptions(c));
}
