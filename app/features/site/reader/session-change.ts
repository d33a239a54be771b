import { localStore } from "#app/lib/browser-store.ts";
import { isSignedIn, storeGuestRole } from "#app/lib/session-tokens.ts";

const TOKEN_KEY = "accessToken";

/** Reloads a guest's page after a sign-in in this browser, to get the application. */
export function reloadOnSignin(): void {
  const wasSignedIn = isSignedIn();
  const reload = () => {
    if (wasSignedIn !== (localStore.read(TOKEN_KEY) !== null)) location.reload();
  };
  addEventListener("storage", ({ key }) => key === TOKEN_KEY && reload());
  // Also covers pages from the back/forward cache and prerendered pages.
  addEventListener("pageshow", ({ persisted }) => persisted && reload());
  document.addEventListener("prerenderingchange", reload);
  storeGuestRole(document.documentElement.dataset.guestRole ?? null);
}
