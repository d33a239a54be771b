import type { AppContext } from "#worker/domain/kernel/context.ts";
import { sessionCookieName } from "./config.ts";

/** Claimed identity of the caller; an invalid token makes the caller a guest. */
export interface Credential {
  token: string;
}

const BEARER_HEADER = /^Bearer ([\x21-\x7e]{1,4000})$/;

/** Accepts the cookie for GET and HEAD only, which prevents CSRF. Any Authorization header hides the cookie. */
export function readCredential(request: Request): Credential | null {
  const header = request.headers.get("Authorization");
  if (header !== null) {
    const token = BEARER_HEADER.exec(header)?.[1];
    return token ? { token } : null;
  }
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const cookies = request.headers.get("Cookie") ?? "";
  const name = sessionCookieName(request.url);
  const token = cookies
    .split(";")
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return token ? { token } : null;
}

/** Reads the cookie only; an Authorization header makes the request anonymous. */
export const readPageCredential = (request: Request): Credential | null =>
  request.headers.has("Authorization") ? null : readCredential(request);

export const requestClient = (request: Request): AppContext["client"] => ({
  address: clientAddress(request.headers.get("CF-Connecting-IP")),
  userAgent: (request.headers.get("User-Agent") ?? "").slice(0, 300),
  isAhead: /\bprefetch\b/.test(request.headers.get("Sec-Purpose") ?? ""),
  isGone: () => request.signal.aborted,
});

const IPV4_IN_IPV6 = /^(?:::|(?:0{1,4}:){5})ffff:(?=\d+\.)/i;

/** Cuts IPv6 to its /64, because a visitor can choose the rest. @param header CF-Connecting-IP */
export function clientAddress(header: string | null): string {
  if (!header) return "local";
  if (!header.includes(":") || IPV4_IN_IPV6.test(header)) return header.replace(IPV4_IN_IPV6, "");
  const [head = "", tail] = header.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const left = groups(head);
  const right = groups(tail ?? "");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
