import { localStore } from "#app/lib/browser-store.ts";
import { now } from "#app/lib/clock.ts";

// Uses plain DOM because it also runs on pages without React.

const KEY = "hiddenPopups";
const DAY_MS = 86_400_000;

function readHiddenUntil(): Record<string, number> {
  const kept = localStore.readJson(KEY);
  return typeof kept === "object" && kept !== null ? (kept as Record<string, number>) : {};
}

/** Ignores times more than a day ahead, left by a wrong clock. */
const isAhead = (until: number) => until > now() && until <= now() + DAY_MS;

function hidePopupForDay(id: string): void {
  const kept = Object.entries(readHiddenUntil()).filter(([, until]) => isAhead(until));
  localStore.writeJson(KEY, { ...Object.fromEntries(kept), [id]: now() + DAY_MS });
}

/**
 * Shows one popup at a time; the markup hides all because only the browser knows the dismissed ones. @returns a
 * function that removes the listeners
 */
export function showPopups(popups: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const shown = () => popups.querySelector<HTMLElement>(":scope > :not([hidden])");
  const showNext = () => {
    const hiddenUntil = readHiddenUntil();
    const next = [...popups.querySelectorAll<HTMLElement>("[data-popup]")].find(
      ({ dataset: { popup = "", closed } }) => closed === undefined && !isAhead(hiddenUntil[popup] ?? 0),
    );
    if (next) next.hidden = false;
  };
  const close = (popup: HTMLElement) => {
    popup.dataset.closed = "";
    popup.hidden = true;
    showNext();
  };
  popups.addEventListener(
    "click",
    ({ target }) => {
      const act = target instanceof Element && target.closest<HTMLElement>("[data-popup-act]")?.dataset.popupAct;
      const popup = shown();
      if (!act || !popup) return;
      if (act === "unfold") popup.dataset.unfolded = "";
      if (act === "day") hidePopupForDay(popup.dataset.popup ?? "");
      if (act !== "unfold") close(popup);
    },
    { signal },
  );
  addEventListener(
    "keydown",
    (event) => {
      // Esc closes an open menu or dialog first.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const popup = shown();
      if (popup) close(popup);
    },
    { signal },
  );
  if (!shown()) showNext();
  return () => ended.abort();
}
