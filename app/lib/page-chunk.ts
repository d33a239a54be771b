import { type DataStrategyResult, isRouteErrorResponse } from "react-router";

// The code of a page comes when somebody goes there. After an upgrade, a tab that was open asks for files that no longer exist.

/** Spec section 9. */
const CHUNK_TIMEOUT_MS = 120_000;
/** How long the site has to say that it is there, before it counts as away. */
const REACH_TIMEOUT_MS = 15_000;
export const CHUNK_MESSAGE = "페이지를 불러오지 못했습니다. 연결을 확인하고 잠시 후 다시 시도해 주십시오.";

/** Where the person is on the way to, by a link. */
let underWay: string | null = null;
let reportFailure: () => void = () => undefined;

/** Reads the next page; what keeps it from coming is met by loading the whole page instead. */
export async function readPage(
  url: string,
  read: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  if (isSamePage(url)) return read();
  underWay = url;
  const timer = setTimeout(() => void recover(url), CHUNK_TIMEOUT_MS);
  try {
    const results = await read();
    // The whole page may be there though its data cannot be read: the server keeps pages for such times.
    if (Object.values(results).some(({ result }) => isRouteErrorResponse(result) && result.status === 503)) {
      location.assign(url);
      return await new Promise<never>(() => undefined);
    }
    document.getElementById("stale-page")?.remove();
    return results;
  } finally {
    clearTimeout(timer);
    if (underWay === url) underWay = null;
  }
}

const isSamePage = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname === location.pathname && search === location.search;
};

/** The page that was asked for is loaded as a whole; when the site cannot be reached, all that was typed stays. */
async function recover(url: string): Promise<void> {
  if (underWay !== url) return;
  underWay = null;
  if (await isReachable(url)) location.assign(url);
  else reportFailure();
}

async function isReachable(url: string): Promise<boolean> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), REACH_TIMEOUT_MS);
  try {
    await fetch(url, { method: "HEAD", cache: "no-store", signal: ending.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** The part of the Navigation API that is used here; a browser without it reloads the page that is left. */
interface Navigations {
  addEventListener(type: "navigate", listener: (event: NavigationStart) => void): void;
  removeEventListener(type: "navigate", listener: (event: NavigationStart) => void): void;
}
interface NavigationStart extends Event {
  navigationType: string;
  userInitiated: boolean;
}

/** React Router reloads the page that is left when the code of the next one is missing: the click would be lost. */
export function watchChunks(report: () => void): () => void {
  reportFailure = report;
  const { navigation } = globalThis as { navigation?: Navigations };
  const onNavigate = (event: NavigationStart) => {
    if (event.navigationType !== "reload" || event.userInitiated || underWay === null) return;
    event.preventDefault();
    void recover(underWay);
  };
  navigation?.addEventListener("navigate", onNavigate);
  return () => navigation?.removeEventListener("navigate", onNavigate);
}
