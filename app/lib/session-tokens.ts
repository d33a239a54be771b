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
/** Names the pending refresh; only this browser may repeat it. */
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

/** Uses the server's clock; an expired token clears the rest of the session. */
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

/** Stores the guests' role while no one is signed in. @param roleCode null while someone is signed in */
export function storeGuestRole(roleCode: string | null): void {
  if (roleCode === null || localStore.read(KEYS.access)) localStore.remove(KEYS.guest);
  else localStore.writeJson(KEYS.guest, { role: { roleCode } });
}
