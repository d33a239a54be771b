/** Scrolls an overflowing tab strip to the current tab. */
export function showCurrentTab(strip: HTMLElement): void {
  const tab = strip.querySelector<HTMLElement>('[aria-current="page"]');
  if (!tab) return;
  const [outer, inner] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
  // Scrolls sideways only: scrollIntoView would move the page as well.
  if (inner.left < outer.left) strip.scrollLeft += inner.left - outer.left;
  else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right;
}
