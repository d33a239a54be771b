interface PageStart extends PerformanceNavigationTiming {
  activationStart?: number;
  deliveryType?: string;
}

/** @returns when somebody sees the page: the browser may have made it before they press */
export function isShown(): Promise<void> {
  if (!(document as { prerendering?: boolean }).prerendering) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("prerenderingchange", () => resolve(), { once: true }));
}

/** The Worker counts no view of a page that was fetched ahead: that is done by asking for it again when it is seen. */
export async function countViewOfPrerendered(): Promise<void> {
  await isShown();
  const [start] = performance.getEntriesByType("navigation") as PageStart[];
  const isAhead = (start?.activationStart ?? 0) > 0 || start?.deliveryType === "navigational-prefetch";
  if (!isAhead || !/^(?:\/en)?\/board\/[^/]+\/view\//i.test(location.pathname)) return;
  // Behind the first paint, which it would hold up.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const answer = await fetch(location.href);
  await answer.body?.cancel();
}

/** What a mouse rested on is rendered ahead and there at once; a transition would only hold it back. */
export function goAtOnce(): void {
  // Older browsers cannot be asked either.
  if (!("supports" in HTMLScriptElement && HTMLScriptElement.supports("speculationrules"))) return;
  let isByMouse = false;
  addEventListener("pointerdown", ({ pointerType }) => (isByMouse = pointerType === "mouse"));
  addEventListener("pageswap", ({ viewTransition }) => isByMouse && viewTransition?.skipTransition());
}
