// The whole script of a guest's page (`handle.isForReaders`).
import { listenToItemActions } from "#app/features/board/item-listeners.ts";
import { markPointedRegions } from "#app/features/content/map/mark-region.ts";
import { showPopups } from "#app/features/site/home/show-popups.ts";
import { listenToMenuDrawer, listenToMenuGroup } from "#app/features/site/shell/menu-listeners.ts";
import { doPressedEarly } from "#app/lib/early-press.ts";
import { lendHangulFont } from "#app/lib/hangul-font.ts";
import type { PreviewOfFile } from "#app/features/file/preview/preview-dialog.tsx";
import { TOAST_LIFE_MS, TOAST_TEXT_CLASS, toastClass, type ToastTone } from "#app/ui/toast-look.ts";
import { localStore } from "#app/lib/browser-store.ts";
import { isSignedIn, storeGuestRole } from "#app/lib/session-tokens.ts";

interface PageStart extends PerformanceNavigationTiming {
  activationStart?: number;
  deliveryType?: string;
}

/** Resolves when a prerendered page becomes visible. */
function isShown(): Promise<void> {
  if (!(document as { prerendering?: boolean }).prerendering) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("prerenderingchange", () => resolve(), { once: true }));
}

/** The Worker does not count prerendered views, so the page is requested again once seen. */
async function countPrerenderedView(): Promise<void> {
  await isShown();
  const [start] = performance.getEntriesByType("navigation") as PageStart[];
  const isAhead = (start?.activationStart ?? 0) > 0 || start?.deliveryType === "navigational-prefetch";
  if (!isAhead || !/^(?:\/en)?\/board\/[^/]+\/view\//i.test(location.pathname)) return;
  // Runs after the first paint so that it does not delay it.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const answer = await fetch(location.href);
  await answer.body?.cancel();
}

/** Skips the view transition on mouse clicks: hovered pages are prerendered and open at once. */
function skipNextTransition(): void {
  if (!("supports" in HTMLScriptElement && HTMLScriptElement.supports("speculationrules"))) return;
  let isByMouse = false;
  addEventListener("pointerdown", ({ pointerType }) => (isByMouse = pointerType === "mouse"));
  addEventListener("pageswap", ({ viewTransition }) => isByMouse && viewTransition?.skipTransition());
}

const TOKEN_KEY = "accessToken";

/** Reloads a guest's page after a sign-in in this browser, to get the application. */
function reloadOnSignin(): void {
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

function showToast(text: string, tone: ToastTone): void {
  const region = document.querySelector(`#toasts [role="${tone === "error" ? "alert" : "status"}"]`);
  const words = Object.assign(document.createElement("p"), { className: TOAST_TEXT_CLASS, textContent: text });
  const toast = Object.assign(document.createElement("div"), { className: toastClass(tone) });
  toast.appendChild(words);
  region?.replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_LIFE_MS[tone]);
}

const NO_PREVIEW = "바로보기를 불러오지 못했습니다. 연결을 확인하고 잠시 후 다시 시도해 주십시오.";

function withEach<E extends HTMLElement>(selector: string, act: (part: E) => void): void {
  for (const part of document.querySelectorAll<E>(selector)) act(part);
}

/** Loads the preview code on the first click. */
function listenToPreview(button: HTMLElement): void {
  const preview = JSON.parse(button.dataset.preview ?? "null") as PreviewOfFile;
  button.addEventListener("click", () => {
    import("#app/features/site/reader/preview-island.tsx").then(
      ({ openPreview }) => openPreview(preview),
      () => showToast(NO_PREVIEW, "error"),
    );
  });
}

/** Steps back to the list so that its scroll position is kept. */
function stepBackToList(link: HTMLAnchorElement): void {
  link.addEventListener("click", (event) => {
    if (document.referrer !== link.href || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.back();
  });
}

lendHangulFont();
reloadOnSignin();
skipNextTransition();
withEach("#main-menu details", listenToMenuGroup);
withEach("#main-menu", listenToMenuDrawer);
withEach("#center-map", markPointedRegions);
withEach("#item-actions", (part) => listenToItemActions(part, showToast));
withEach("[data-list-link]", stepBackToList);
withEach("[data-preview]", listenToPreview);
// Dismissed popups are read when the page is seen, because it may be prerendered.
void isShown().then(() => withEach("#home-popups", showPopups));
void countPrerenderedView();
void doPressedEarly();
