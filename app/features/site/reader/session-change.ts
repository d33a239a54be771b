import { localStore } from "#app/lib/browser-store.ts";
import { isSignedIn, keepGuest } from "#app/lib/session-tokens.ts";

const TOKEN_KEY = "accessToken";

/** A page of a guest, in a browser where somebody signs in meanwhile: they get the application. */
export function reloadOnSignin(): void {
  const wasSignedIn = isSignedIn();
  const reload = () => {
    if (wasSignedIn !== (localStore.read(TOKEN_KEY) !== null)) location.reload();
  };
  addEventListener("storage", ({ key }) => key === TOKEN_KEY && reload());
  // The step back to a page that the browser kept, and one that it made ahead.
  addEventListener("pageshow", ({ persisted }) => persisted && reload());
  document.addEventListener("prerenderingchange", reload);
  keepGuest(document.documentElement.dataset.guestRole ?? null);
}
