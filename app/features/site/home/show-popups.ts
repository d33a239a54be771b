// Plain DOM: the same for the application and for a reader's page, which has no React in the browser.

const KEY = "hiddenPopups";
const DAY_MS = 86_400_000;

function readHiddenUntil(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, number>) : {};
  } catch {
    return {};
  }
}

function hidePopupForDay(id: string): void {
  const now = Date.now();
  const kept = Object.entries(readHiddenUntil()).filter(([, until]) => until > now);
  localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [id]: now + DAY_MS }));
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
    const now = Date.now();
    const next = [...popups.querySelectorAll<HTMLElement>("[data-popup]")].find(
      ({ dataset: { popup = "", closed } }) => closed === undefined && !((hiddenUntil[popup] ?? 0) > now),
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
