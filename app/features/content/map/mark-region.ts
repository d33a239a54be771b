// Uses plain DOM because it also runs on pages without React.

/**
 * Highlights the pointed region, found by `data-region`, in map and list. @returns a function that removes the
 * listeners
 */
export function markPointedRegions(part: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const outline = part.querySelector("[data-outline]");
  const note = part.querySelector<HTMLElement>("[data-note]");
  const mark = (code: string | null) => {
    for (const element of part.querySelectorAll<HTMLElement | SVGElement>("[data-region]")) {
      if (element.dataset.region === code) element.dataset.pointed = "";
      else delete element.dataset.pointed;
    }
    outline?.setAttribute("d", part.querySelector("svg [data-pointed] path")?.getAttribute("d") ?? "");
    const [name, ...words] = [...(part.querySelector("li[data-pointed]")?.children ?? [])].map(
      (each) => each.textContent,
    );
    if (!note) return;
    note.hidden = name === undefined;
    note.firstElementChild?.replaceChildren(name ?? "");
    note.lastElementChild?.replaceChildren(words.join(" "));
  };
  const pointAt = ({ target }: Event) =>
    mark((target instanceof Element && target.closest<HTMLElement>("[data-region]")?.dataset.region) || null);
  for (const type of ["pointerover", "focusin"]) part.addEventListener(type, pointAt, { signal });
  for (const type of ["pointerleave", "focusout"]) part.addEventListener(type, () => mark(null), { signal });
  return () => ended.abort();
}
