import type { Envelope } from "#worker/contract/kernel/errors.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { DRAFT_PREFIX, localStore, tabStore } from "./browser-store.ts";
import { fetchAndSetClock } from "./clock.ts";
import { ATTEMPT_KEY, isOthersSession, isSignedIn, KEYS, removeTokens, secondsLeft } from "./session-tokens.ts";

const CHECK_MS = 30_000;
const REFRESH_THRESHOLD_SECONDS = 10 * 60;
/** Is written and removed at once to notify other tabs of a sign-out. */
const SIGNED_OUT_KEY = "signedOut";

type SessionListener = (event: "changed" | { failed: string }) => void;
const listeners = new Set<SessionListener>();
/** Calls back with "changed" after a sign-in or sign-out in any tab, or with a refresh error. */
export function subscribeToSession(listener: SessionListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const notifyListeners: SessionListener = (event) => listeners.forEach((listener) => listener(event));

export function keepSession({ accessToken, refreshToken, user }: TokenPair): void {
  // Removes old tokens first: a full store would keep a used refresh token.
  removeTokens();
  localStore.write(KEYS.access, accessToken);
  localStore.write(KEYS.refresh, refreshToken);
  localStore.writeJson(KEYS.user, user);
  localStore.remove(KEYS.guest);
}

export const readRememberedId = () => localStore.read(KEYS.rememberId) ?? "";
export function rememberId(userKeyCode: string | null): void {
  if (userKeyCode) localStore.write(KEYS.rememberId, userKeyCode);
  else localStore.remove(KEYS.rememberId);
}

/** Keeps this tab's user ID so that signing in again needs only the password. */
const SIGNIN_KEY = "signinKey";
export const readSigninKey = () => tabStore.read(SIGNIN_KEY) ?? readRememberedId();
export const rememberSigninKey = (userKeyCode: string) => void tabStore.write(SIGNIN_KEY, userKeyCode);

async function postSession(path: string, body: object, token?: string): Promise<Envelope<TokenPair>> {
  const response = await fetchAndSetClock(() =>
    fetch(`/api/user/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    }),
  );
  return (await response.json()) as Envelope<TokenPair>;
}

/** A web lock allows one refresh at a time; waiting tabs use the new token. */
async function refreshTokens(): Promise<void> {
  const run = async () => {
    if (secondsLeft(localStore.read(KEYS.access)) >= REFRESH_THRESHOLD_SECONDS) return;
    const refreshToken = localStore.read(KEYS.refresh);
    if (!refreshToken) return;
    const attempt = localStore.read(ATTEMPT_KEY) ?? crypto.randomUUID();
    localStore.write(ATTEMPT_KEY, attempt);
    const answer = await postSession("signin-by-refresh-token", { refreshToken, attempt });
    if (answer.code === "SUCCESS") return keepSession(answer.data);
    if (answer.code === "UNAUTHORIZED") {
      removeTokens();
      notifyListeners("changed");
    }
    notifyListeners({ failed: answer.message });
  };
  await (navigator.locks ? navigator.locks.request("hoewon-refresh", run) : run());
}

/** Refreshes a token with less than ten minutes left; null for a guest. */
export async function getFreshAccessToken(): Promise<string | null> {
  if (!isSignedIn()) return null;
  if (secondsLeft(localStore.read(KEYS.access)) < REFRESH_THRESHOLD_SECONDS) {
    // A failed refresh does not invalidate a token that has not expired.
    await refreshTokens().catch(() => undefined);
  }
  return localStore.read(KEYS.access);
}

/** Drops the refused session, but not a newer one. */
export function dropRefusedSession(token: string): void {
  // Does not notify this tab: the caller asks for the password, and a reload loses typed text.
  if (localStore.read(KEYS.access) === token) removeTokens();
}

export function forgetSession(): void {
  removeTokens();
  tabStore.remove(SIGNIN_KEY);
  for (const key of localStore.keys()) if (key.startsWith(DRAFT_PREFIX)) localStore.remove(key);
}

export async function signOut(): Promise<void> {
  const refreshToken = localStore.read(KEYS.refresh) ?? undefined;
  const token = isSignedIn() ? (localStore.read(KEYS.access) ?? undefined) : undefined;
  forgetSession();
  await postSession("signout", { refreshToken }, token).catch(() => undefined);
  // Notifies other tabs after the server ended the session, because they may have reloaded before.
  localStore.write(SIGNED_OUT_KEY, "1");
  localStore.remove(SIGNED_OUT_KEY);
  notifyListeners("changed");
}

export function watchSession(): () => void {
  let active = true;
  const wake = () => {
    active = true;
  };
  const check = () => {
    if (!localStore.read(KEYS.access) || isOthersSession()) return;
    if (!isSignedIn()) return notifyListeners("changed");
    // Refreshes only after activity: a handler's session must expire when idle (고시 제6조).
    if (active) void getFreshAccessToken();
    active = false;
  };
  const onStorage = (event: StorageEvent) => {
    const isChange = event.key === KEYS.access && (event.oldValue === null) !== (event.newValue === null);
    if (isChange || (event.key === SIGNED_OUT_KEY && event.newValue !== null)) notifyListeners("changed");
  };
  const timer = setInterval(check, CHECK_MS);
  for (const event of ["keydown", "pointerdown", "scroll"]) addEventListener(event, wake, { passive: true });
  addEventListener("storage", onStorage);
  check();
  return () => {
    clearInterval(timer);
    for (const event of ["keydown", "pointerdown", "scroll"]) removeEventListener(event, wake);
    removeEventListener("storage", onStorage);
  };
}
