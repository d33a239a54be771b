interface PageStart extends PerformanceNavigationTiming {
  activationStart?: number;
  deliveryType?: string;
}

/** Resolves when a prerendered page becomes visible. */
export function isShown(): Promise<void> {
  if (!(document as { prerendering?: boolean }).prerendering) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("prerenderingchange", () => resolve(), { once: true }));
}

/** The Worker does not count prerendered views, so the page is requested again once seen. */
export async function countPrerenderedView(): Promise<void> {
  await isShown();
  const [start] = performance.getEntriesByType("navigation") as PageStart[];
  const isAhead = (start?.activationStart ?? 0) > 0 || start?.deliveryType === "navigational-prefetch";
  if (!isAhead || !/^(?:\/en)?\/board\/[^/]+\/view\//i.test(location.pathname)) return;
  // Runs after the first paint so that it does not delay it.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const answer = await fetch(location.href);
  await answer.body?.cancel();
}

/** Skips the view transition on mouse clicks: hovered pages are prerendered and open at once. */
export function skipNextTransition(): void {
  if (!("supports" in HTMLScriptElement && HTMLScriptElement.supports("speculationrules"))) return;
  let isByMouse = false;
  addEventListener("pointerdown", ({ pointerType }) => (isByMouse = pointerType === "mouse"));
  addEventListener("pageswap", ({ viewTransition }) => isByMouse && viewTransition?.skipTransition());
}
