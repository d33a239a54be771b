// Plain DOM: the same for the application and for a reader's page, which has no React in the browser.

type Tell = (text: string, tone: "success" | "error") => void;

/** What can be done with an item that is read: hand it on, copy its address, print it. @returns what ends it */
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
      // Whoever thinks better of it has done nothing wrong.
      if (act === "share")
        void navigator.share({ title: document.title, url: location.href.split("#")[0] ?? "" }).catch(() => undefined);
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}

/** What it says stands at the button, in the language of the page. */
async function copyLink({ path = "", copied = "", copyFailed = "" }: DOMStringMap, tell: Tell): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.origin + path);
    tell(copied, "success");
  } catch {
    tell(copyFailed, "error");
  }
}
