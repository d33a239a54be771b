import { localStore } from "#app/lib/browser-store.ts";
import { now } from "#app/lib/clock.ts";

// Plain DOM: the same for the application and for a reader's page, which has no React in the browser.

const KEY = "hiddenPopups";
const DAY_MS = 86_400_000;

function readHiddenUntil(): Record<string, number> {
  const kept = localStore.readJson(KEY);
  return typeof kept === "object" && kept !== null ? (kept as Record<string, number>) : {};
}

/** A clock that was set right meanwhile hides nothing for longer than a day. */
const isAhead = (until: number) => until > now() && until <= now() + DAY_MS;

function hidePopupForDay(id: string): void {
  const kept = Object.entries(readHiddenUntil()).filter(([, until]) => isAhead(until));
  localStore.writeJson(KEY, { ...Object.fromEntries(kept), [id]: now() + DAY_MS });
}

/**
 * Messages of the day, one after the other: nothing behind them is locked, Esc closes. All of them stand in the page,
 * hidden; which is the first to show is known in the browser alone. @returns what ends it
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
      // A menu or a dialog over the page is closed first.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const popup = shown();
      if (popup) close(popup);
    },
    { signal },
  );
  if (!shown()) showNext();
  return () => ended.abort();
}
