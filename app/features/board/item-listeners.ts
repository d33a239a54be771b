// Uses plain DOM because it also runs on pages without React.

type Tell = (text: string, tone: "success" | "error") => void;

/** Handles share, copy link and print. @returns a function that removes the listeners */
export function listenToItemActions(part: HTMLElement, tell: Tell): () => void {
  const ended = new AbortController();
  const share = part.querySelector<HTMLElement>('[data-item-act="share"]');
  if (share) share.hidden = !("share" in navigator);
  part.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-item-act]") : null;
      const act = button?.dataset.itemAct;
      if (act === "print") print();
      if (act === "copy") void copyLink(button?.dataset ?? {}, tell);
      // Ignores a cancelled share.
      if (act === "share")
        void navigator.share({ title: document.title, url: location.href.split("#")[0] ?? "" }).catch(() => undefined);
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}

/** The button's data attributes hold the texts in the page's language. */
async function copyLink({ path = "", copied = "", copyFailed = "" }: DOMStringMap, tell: Tell): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.origin + path);
    tell(copied, "success");
  } catch {
    tell(copyFailed, "error");
  }
}
