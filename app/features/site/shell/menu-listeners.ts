// Uses plain DOM because it also runs on pages without React.

/** On wide screens the menu is a row, and its opener is hidden. */
const isWide = () => document.querySelector("[popovertarget][aria-haspopup]")?.checkVisibility() === false;

const dialogAttributes = () =>
  [
    ["role", "dialog"],
    ["aria-modal", "true"],
    ["aria-label", document.documentElement.lang === "en" ? "Menu" : "전체 메뉴"],
  ] as const;

/** Handles hover, Esc and focus leaving the group on wide screens. @returns a function that removes the listeners */
export function listenToMenuGroup(group: HTMLDetailsElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let hovered = false;
  const hover = ({ pointerType }: PointerEvent, value: boolean) => {
    if (pointerType !== "mouse" || !isWide()) return;
    // Ignores a late pointer event after a click closed the group, so keyboard opening stays.
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
      if (!isInside && !hovered && isWide()) group.open = false;
    },
    { signal },
  );
  group.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !group.open || !isWide()) return;
      // Esc closes one layer only.
      event.preventDefault();
      group.open = false;
      summary?.focus();
    },
    { signal },
  );
  // Hover already opened the group; the click must not close it.
  summary?.addEventListener("click", (event) => hovered && event.detail > 0 && event.preventDefault(), { signal });
  // Closes at once rather than after navigation, so that a group opened meanwhile stays open.
  group.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a") && close(), {
    signal,
  });
  // Handles back and forward, which involve no click.
  addEventListener("popstate", () => (group.open = false), { signal });
  return () => ended.abort();
}

/** Acts as a modal dialog while it is open. @returns a function that removes the listeners */
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
    // An open group would cover the page on wide screens.
    for (const group of drawer.querySelectorAll("details")) group.open = false;
  };
  const knowsPopover = Object.hasOwn(HTMLElement.prototype, "popover");
  const close = () => (knowsPopover ? drawer.hidePopover() : delete drawer.dataset.open);
  // Runs before the browser returns the focus to the opener.
  drawer.addEventListener("beforetoggle", ({ newState }) => (newState === "open" ? standInFront() : giveBack()), {
    signal,
  });
  drawer.addEventListener("toggle", ({ newState }) => newState === "open" && drawer.querySelector("button")?.focus(), {
    signal,
  });
  const opener = document.querySelector<HTMLElement>(`[popovertarget="${drawer.id}"][aria-haspopup]`);
  if (!knowsPopover) opener?.addEventListener("click", () => (drawer.dataset.open = ""), { signal });
  // Closes at once rather than after navigation, because it may be opened again meanwhile.
  drawer.addEventListener(
    "click",
    ({ target }) => target instanceof Element && target.closest("a, button") && close(),
    {
      signal,
    },
  );
  addEventListener("popstate", close, { signal });
  addEventListener("resize", () => isWide() && close(), { signal });
  return () => ended.abort();
}

function listAround(part: HTMLElement): HTMLElement[] {
  const { parentElement: parent } = part;
  if (!parent || part === document.body) return [];
  const others = [...parent.children].filter((other) => other !== part && other instanceof HTMLElement);
  return [...(others as HTMLElement[]), ...listAround(parent)];
}
