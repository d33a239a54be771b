// Plain DOM: the same for the application and for a reader's page, which has no React in the browser.

const WIDE = "(width >= 80rem)";
const dialogAttributes = () =>
  [
    ["role", "dialog"],
    ["aria-modal", "true"],
    ["aria-label", document.documentElement.lang === "en" ? "Menu" : "전체 메뉴"],
  ] as const;

/** What a group of the wide menu does beside opening by a press. @returns what ends it */
export function listenToMenuGroup(group: HTMLDetailsElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const wide = matchMedia(WIDE);
  let hovered = false;
  const hover = ({ pointerType }: PointerEvent, value: boolean) => {
    if (pointerType !== "mouse" || !wide.matches) return;
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
      const isInside = relatedTarget instanceof Node && group.contains(relatedTarget);
      if (!isInside && !hovered && wide.matches) group.open = false;
    },
    { signal },
  );
  group.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !group.open || !wide.matches) return;
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

/** The menu of narrow screens: while it is open, it is a dialog, and nothing behind it is reached. @returns what ends it */
export function listenToMenuDrawer(drawer: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let behind: HTMLElement[] = [];
  const standInFront = () => {
    behind = listAround(drawer).filter(({ inert }) => !inert);
    for (const part of behind) part.inert = true;
    for (const [name, value] of dialogAttributes()) drawer.setAttribute(name, value);
    const group = drawer.querySelector<HTMLDetailsElement>("details[data-current]");
    if (group) group.open = true;
  };
  const giveBack = () => {
    for (const part of behind) part.inert = false;
    for (const [name] of dialogAttributes()) drawer.removeAttribute(name);
    // On a wide screen an open group would lie over the page.
    for (const group of drawer.querySelectorAll("details")) group.open = false;
  };
  const knowsPopover = Object.hasOwn(HTMLElement.prototype, "popover");
  const close = () => (knowsPopover ? drawer.hidePopover() : delete drawer.dataset.open);
  // Before the browser gives the focus back to what opened it.
  drawer.addEventListener("beforetoggle", ({ newState }) => (newState === "open" ? standInFront() : giveBack()), {
    signal,
  });
  drawer.addEventListener("toggle", ({ newState }) => newState === "open" && drawer.querySelector("button")?.focus(), {
    signal,
  });
  const opener = document.querySelector<HTMLElement>(`[popovertarget="${drawer.id}"][aria-haspopup]`);
  if (!knowsPopover) opener?.addEventListener("click", () => (drawer.dataset.open = ""), { signal });
  // Now and not when the next page is there, since it may have been opened again meanwhile.
  drawer.addEventListener(
    "click",
    ({ target }) => target instanceof Element && target.closest("a, button") && close(),
    {
      signal,
    },
  );
  addEventListener("popstate", close, { signal });
  matchMedia(WIDE).addEventListener("change", close, { signal });
  return () => ended.abort();
}

/** Everything on the page that neither holds the part nor stands in it. */
function listAround(part: HTMLElement): HTMLElement[] {
  const { parentElement: parent } = part;
  if (!parent || part === document.body) return [];
  const others = [...parent.children].filter((other) => other !== part && other instanceof HTMLElement);
  return [...(others as HTMLElement[]), ...listAround(parent)];
}
