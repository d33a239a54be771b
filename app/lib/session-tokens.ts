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

function claimsOf(token: string | null): { exp?: unknown; sub?: string } {
  try {
    const payload = (token ?? "").split(".")[1] ?? "";
    return JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/"))) as object;
  } catch {
    return {};
  }
}
export function secondsLeft(token: string | null): number {
  const { exp } = claimsOf(token);
  return (typeof exp === "number" ? exp : 0) - now() / 1000;
}

/** Uses the server's clock; an expired token clears the rest of the session. */
export function isSignedIn(): boolean {
  const token = localStore.read(KEYS.access);
  if (!token) return false;
  if (secondsLeft(token) > 0) return !isOthersSession();
  removeTokens();
  return false;
}

/** Whether another tab signed in as another member than the one this page shows. */
export function isOthersSession(): boolean {
  const { member } = document.documentElement.dataset;
  const token = localStore.read(KEYS.access);
  return !!member && !!token && claimsOf(token).sub !== member;
}

export function removeTokens(): void {
  for (const key of [KEYS.access, KEYS.refresh, KEYS.user, ATTEMPT_KEY]) localStore.remove(key);
}

/** Stores the guests' role while no one is signed in. @param roleCode null while someone is signed in */
export function storeGuestRole(roleCode: string | null): void {
  if (roleCode === null || localStore.read(KEYS.access)) localStore.remove(KEYS.guest);
  else localStore.writeJson(KEYS.guest, { role: { roleCode } });
}
