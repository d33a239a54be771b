import { localStore } from "./browser-store.ts";
import { now } from "./clock.ts";

/** Local storage keys of spec section 9. */
export const KEYS = {
  access: "accessToken",
  refresh: "refreshToken",
  user: "loginUser",
  rememberId: "rememberId",
  guest: "guest",
} as const;
/** Names the refresh that is under way, till its answer is here: only this browser may ask for it once more. */
export const ATTEMPT_KEY = "refreshAttempt";

function expirySeconds(token: string | null): number {
  try {
    const payload = (token ?? "").split(".")[1] ?? "";
    const { exp } = JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/"))) as { exp?: unknown };
    return typeof exp === "number" ? exp : 0;
  } catch {
    return 0;
  }
}
export const secondsLeft = (token: string | null) => expirySeconds(token) - now() / 1000;

/** Logged in while the access token is there and has not run out by the server's clock; else what is left of the session is cleared. */
export function isSignedIn(): boolean {
  const token = localStore.read(KEYS.access);
  if (!token) return false;
  if (secondsLeft(token) > 0) return true;
  removeTokens();
  return false;
}

export function removeTokens(): void {
  for (const key of [KEYS.access, KEYS.refresh, KEYS.user, ATTEMPT_KEY]) localStore.remove(key);
}

/** The role that the site gives to guests is kept while nobody is signed in. @param roleCode null: somebody is */
export function keepGuest(roleCode: string | null): void {
  if (roleCode === null || localStore.read(KEYS.access)) localStore.remove(KEYS.guest);
  else localStore.writeJson(KEYS.guest, { role: { roleCode } });
}
