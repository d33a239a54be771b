import { tabStore } from "./browser-store.ts";

/** The link whose navigation a reload of the page interrupts. */
const GOING_TO = "goingTo";

/** Without the Navigation API a reload cannot be stopped; the reloaded page continues to the link. */
export function continueAfterReload(urlUnderWay: () => string | null): void {
  const url = tabStore.read(GOING_TO);
  tabStore.remove(GOING_TO);
  const [start] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (url && start?.type === "reload" && url !== location.href) location.replace(url);
  addEventListener("pagehide", () => {
    const next = urlUnderWay();
    if (next === null) tabStore.remove(GOING_TO);
    else tabStore.write(GOING_TO, next);
  });
}
