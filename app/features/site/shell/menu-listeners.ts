// Plain DOM: the same for the application and for a reader's page, which has no React in the browser.

/** What a group of the wide menu does beside opening by a press. @returns what ends it */
export function listenToMenuGroup(group: HTMLDetailsElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let hovered = false;
  const hover = ({ pointerType }: PointerEvent, value: boolean) => {
    if (pointerType !== "mouse") return;
    // Told late, after a press has closed it: what the keyboard opened meanwhile stays open.
    if (!value && !hovered) return;
    hovered = value;
    group.open = value;
  };
  const close = () => {
    hovered = false;
    group.open = false;
  };
  const summary = group.querySelector("summary");
  group.addEventListener("pointerenter", (event) => hover(event, true), { signal });
  group.addEventListener("pointerleave", (event) => hover(event, false), { signal });
  group.addEventListener(
    "focusout",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && group.contains(relatedTarget)) && !hovered) group.open = false;
    },
    { signal },
  );
  group.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !group.open) return;
      // One layer for one press: what lies beneath stays.
      event.preventDefault();
      group.open = false;
      summary?.focus();
    },
    { signal },
  );
  // The pointer has opened it already; its click must not close it again.
  summary?.addEventListener("click", (event) => hovered && event.detail > 0 && event.preventDefault(), { signal });
  // Now and not when the next page is there: what was opened meanwhile stays open.
  group.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a") && close(), {
    signal,
  });
  // Back or forward, by which no link was pressed.
  addEventListener("popstate", () => (group.open = false), { signal });
  return () => ended.abort();
}

/** The drawer of narrow screens, for browsers that do not know `command`, and what closes it. @returns what ends it */
export function listenToDrawer(drawer: HTMLDialogElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const close = () => drawer.close();
  for (const button of document.querySelectorAll(`[commandfor="${drawer.id}"]`)) {
    const opens = button.getAttribute("command") === "show-modal";
    button.addEventListener(
      "click",
      (event) => {
        event.preventDefault();
        if (!opens) close();
        else if (!drawer.open) drawer.showModal();
      },
      { signal },
    );
  }
  // Now and not when the next page is there, since it may have been opened again meanwhile.
  drawer.addEventListener(
    "click",
    ({ target }) => target instanceof Element && target.closest("a, button") && close(),
    {
      signal,
    },
  );
  addEventListener("popstate", close, { signal });
  matchMedia("(width >= 64rem)").addEventListener("change", close, { signal });
  return () => ended.abort();
}
