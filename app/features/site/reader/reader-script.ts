// The whole script of a guest's page (`handle.isForReaders`).
import { listenToItemActions } from "#app/features/board/item-listeners.ts";
import { markPointedRegions } from "#app/features/content/map/mark-region.ts";
import { showPopups } from "#app/features/site/home/show-popups.ts";
import { countPrerenderedView, skipNextTransition, isShown } from "#app/features/site/reader/activation.ts";
import { reloadOnSignin } from "#app/features/site/reader/session-change.ts";
import { showToast } from "#app/features/site/reader/show-toast.ts";
import { listenToMenuDrawer, listenToMenuGroup } from "#app/features/site/shell/menu-listeners.ts";
import { doPressedEarly } from "#app/lib/early-press.ts";
import { lendHangulFont } from "#app/lib/hangul-font.ts";
import type { PreviewOfFile } from "#app/features/file/preview/preview-dialog.tsx";

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
