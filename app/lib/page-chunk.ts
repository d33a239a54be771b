import { type DataStrategyResult, isRouteErrorResponse } from "react-router";

// After a deployment, an open tab requests chunks that no longer exist.

/** From spec section 9. */
const CHUNK_TIMEOUT_MS = 120_000;
const REACH_TIMEOUT_MS = 15_000;
export const CHUNK_MESSAGE = "페이지를 불러오지 못했습니다. 연결을 확인하고 잠시 후 다시 시도해 주십시오.";

let underWay: string | null = null;
let reportFailure: () => void = () => undefined;

/** Ends a navigation after 120 seconds, the routes that it has to discover first included. */
export function limitNavigation(url: string): () => void {
  underWay = url;
  const timer = setTimeout(() => void recover(url), CHUNK_TIMEOUT_MS);
  return () => {
    clearTimeout(timer);
    if (underWay === url) underWay = null;
  };
}

/** Loads the next page's data; on failure it loads the whole document. */
export async function readPage(url: string, read: () => Promise<Record<string, DataStrategyResult>>) {
  if (isSamePage(url)) return read();
  const end = limitNavigation(url);
  try {
    const results = await read();
    // On 503 the server may still have a stored copy of the whole page.
    if (Object.values(results).some(({ result }) => isRouteErrorResponse(result) && result.status === 503)) {
      location.assign(url);
      return await new Promise<never>(() => undefined);
    }
    document.getElementById("stale-page")?.remove();
    return results;
  } finally {
    end();
  }
}

const isSamePage = (url: string) => url.split("#")[0] === location.href.split("#")[0];

/** Loads the whole document; typed text is kept if the site is unreachable. */
async function recover(url: string): Promise<void> {
  if (underWay !== url) return;
  underWay = null;
  if (await isReachable(url)) location.assign(url);
  else reportFailure();
}

async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(REACH_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}

/** The used part of the Navigation API. */
interface Navigations {
  addEventListener(type: "navigate", listener: (event: NavigationStart) => void): void;
}
interface NavigationStart extends Event {
  navigationType: string;
  userInitiated: boolean;
}

/** React Router reloads the current page if the next chunk is missing, which loses the click. Called once. */
export function watchChunks(report: () => void): void {
  reportFailure = report;
  const { navigation } = globalThis as { navigation?: Navigations };
  if (!navigation) void import("./page-reload.ts").then((each) => each.continueAfterReload(() => underWay));
  navigation?.addEventListener("navigate", (event) => {
    if (event.navigationType !== "reload" || event.userInitiated || underWay === null) return;
    event.preventDefault();
    void recover(underWay);
  });
}
