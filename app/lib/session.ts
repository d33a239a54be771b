import type { Envelope } from "#worker/contract/kernel/envelope.ts";
import { REFRESH_THRESHOLD_SECONDS } from "#worker/contract/kernel/token-limits.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { DRAFT_PREFIX, localStore, tabStore } from "./browser-store.ts";
import { fetchAndSetClock } from "./clock.ts";
import { ATTEMPT_KEY, isSignedIn, KEYS, removeTokens, secondsLeft } from "./session-tokens.ts";

const CHECK_MS = 30_000;
/** Written and removed at once: it tells other tabs that the server has ended the session. */
const SIGNED_OUT_KEY = "signedOut";

type SessionListener = (event: "changed" | { failed: string }) => void;
const listeners = new Set<SessionListener>();
/** "changed" when somebody signed in or out, here or in another tab; the server's message when a refresh failed. */
export function subscribeToSession(listener: SessionListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const notifyListeners: SessionListener = (event) => listeners.forEach((listener) => listener(event));

export function keepSession({ accessToken, refreshToken, user }: TokenPair): void {
  // A store without room would keep a refresh token that is used up.
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

/** The ID of this tab's sign-in, so that the dialog after the session's end asks for the password alone. */
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

/** One refresh at a time in all tabs; the one that waited finds the new token there. */
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

/** The bearer token for a call, renewed when less than ten minutes are left; null for a guest. */
export async function getFreshAccessToken(): Promise<string | null> {
  if (!isSignedIn()) return null;
  if (secondsLeft(localStore.read(KEYS.access)) < REFRESH_THRESHOLD_SECONDS) {
    // A server that cannot be reached is no reason to give up a token that still holds.
    await refreshTokens().catch(() => undefined);
  }
  return localStore.read(KEYS.access);
}

/** Drops the session that a call was refused with; one that came since, here or in another tab, stays. */
export function dropRefusedSession(token: string): void {
  // Untold in this tab: whoever made the call asks for the password on the spot, and a new page would take the text away.
  if (localStore.read(KEYS.access) === token) removeTokens();
}

/** Clears what this browser keeps of a session that its owner has ended; the remembered ID stays. */
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
  // Other tabs that read their pages while the server still knew the session read them again.
  localStore.write(SIGNED_OUT_KEY, "1");
  localStore.remove(SIGNED_OUT_KEY);
  notifyListeners("changed");
}

/** Keeps the session alive while somebody works in this tab; started once by the root. */
export function watchSession(): () => void {
  let active = true;
  const wake = () => {
    active = true;
  };
  const check = () => {
    if (!localStore.read(KEYS.access)) return;
    if (!isSignedIn()) return notifyListeners("changed");
    // A handler's session must run out when nobody is there (고시 제6조): without a sign of life no refresh.
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
