import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { pageScopes, type WriteTrace } from "./page-scope.ts";
import { type Place, readPlaces, writePlaces } from "./places.ts";
import { changeStamps, countWrite, lastStamp, removalOf, writesSoFar } from "./page-stamp.ts";
import { SHARED_SECONDS } from "./shared-page.ts";

/** Rendered with tokens where its readers differ: nobody knew them when the page was written, so they stand nowhere else. */
export interface StoredPage {
  body: ArrayBuffer;
  /** Of the answer, what its reader needs. */
  headers: Record<string, string>;
  places: Place[];
  /** The last writes to what it shows that were known when it was asked for. */
  stamp: string;
  /** When it was rendered. */
  renderedMs: number;
}

declare const __BUILD__: string;
const STORE_NAME = "shared-pages";
const STORED_HEADERS = {
  places: "X-Places",
  stamp: "X-Stamp",
  rendered: "X-Rendered",
  freshUntil: "X-Fresh-Until",
} as const;
/** How long an old page may stand in while the database answers nobody. */
const STALE_SECONDS = 60 * 60;
/** How long after its time a page may serve those who come while it is rendered anew. */
const MEANWHILE_MS = 5000;

const READER_HEADERS = ["Content-Type", "Link", "X-Remix-Response"];

export const headersForReader = (headers: Headers): Record<string, string> =>
  Object.fromEntries(READER_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

// Apart from the zone's own cache: what lies here no address reaches.
export const openStore = () => caches.open(STORE_NAME);
/** In the store: a page, and that somebody renders it now. */
export const pageAddress = (what: "page" | "rendering", url: URL) =>
  `${url.origin}/${__BUILD__}/${what}${url.pathname}${url.search}`;
const pageKey = (url: URL) => pageAddress("page", url);

/** What this Worker instance found a moment ago: in a rush the cache itself need not be asked either. */
const recentPages = new Map<string, { found: FoundPage; until: number }>();
const RECENT_MS = 1000;
const RECENT_MAX = 100;

export interface FoundPage {
  kept: StoredPage | null;
  /** An older one that shows nothing that was taken away since, for when there is no other. */
  stale: StoredPage | null;
  /** The older one is so young that it may pass for the page while that is rendered. */
  isStaleYoung: boolean;
  stamp: string;
  /** Writes through this instance before the stores were asked. */
  writes: number;
}

function keepAtHand(key: string, found: FoundPage): void {
  if (found.writes !== writesSoFar()) return;
  if (recentPages.size >= RECENT_MAX) recentPages.clear();
  recentPages.set(key, { found, until: Date.now() + RECENT_MS });
}

/** The kept answer for this address if nothing it shows was written since, and the stamp for a new one. No database. */
export async function findStoredPage(url: URL): Promise<FoundPage> {
  const key = pageKey(url);
  const near = recentPages.get(key);
  if (near && near.until > Date.now()) return near.found;
  const writes = writesSoFar();
  const found = {
    ...(await lookUpPage(url).catch(() => ({ kept: null, stale: null, isStaleYoung: false, stamp: "" }))),
    writes,
  };
  // Another one may have come to hand meanwhile.
  if (recentPages.get(key) === near) recentPages.delete(key);
  if (found.kept) keepAtHand(key, found);
  return found;
}

async function lookUpPage(url: URL): Promise<Omit<FoundPage, "writes">> {
  const store = await openStore();
  const [stamp, found] = await Promise.all([lastStamp(store, url.origin, pageScopes(url)), store.match(pageKey(url))]);
  const foundStamp = found?.headers.get(STORED_HEADERS.stamp) ?? "";
  if (!found || removalOf(foundStamp) !== removalOf(stamp)) {
    await found?.body?.cancel();
    return { kept: null, stale: null, isStaleYoung: false, stamp };
  }
  const places = readPlaces(found.headers.get(STORED_HEADERS.places) ?? "");
  const renderedMs = Number(found.headers.get(STORED_HEADERS.rendered));
  const freshUntil = Number(found.headers.get(STORED_HEADERS.freshUntil));
  const body = await found.arrayBuffer();
  const page = { body, headers: headersForReader(found.headers), places, stamp: foundStamp, renderedMs };
  const isFresh = foundStamp === stamp && Date.now() < freshUntil;
  return { kept: isFresh ? page : null, stale: page, isStaleYoung: Date.now() < freshUntil + MEANWHILE_MS, stamp };
}

/** At hand at once, for those who wait for it, and in the store. @param writes as they stood when the page was asked for */
export async function storePage(url: URL, page: StoredPage, seconds: number, writes: number): Promise<void> {
  keepAtHand(pageKey(url), { kept: page, stale: page, isStaleYoung: true, stamp: page.stamp, writes });
  const store = await openStore();
  await store.put(
    pageKey(url),
    new Response(page.body, {
      headers: {
        ...page.headers,
        "Cache-Control": `s-maxage=${STALE_SECONDS}`,
        [STORED_HEADERS.places]: writePlaces(page.places),
        [STORED_HEADERS.stamp]: page.stamp,
        [STORED_HEADERS.rendered]: String(page.renderedMs),
        [STORED_HEADERS.freshUntil]: String(Date.now() + 1000 * Math.min(seconds, SHARED_SECONDS)),
      },
    }),
  );
}

/** Whatever is kept of these parts was rendered before this: its writer, who waits for it, sees what they wrote. */
export async function recordWrite(url: URL, trace: WriteTrace): Promise<void> {
  try {
    await changeStamps(await openStore(), url.origin, trace);
  } catch {
    // Without a cache there is nothing that could be old.
  }
  countWrite();
  recentPages.clear();
}

/** Whoever gets an old page is told so before anything else of it; feeds and data are as they were. */
export function markStale(page: StoredPage): StoredPage {
  const bytes = Buffer.from(page.body);
  const body = bytes.indexOf("<body");
  if (!page.headers["Content-Type"]?.startsWith("text/html") || body === -1) return page;
  const at = bytes.indexOf(">", body) + 1;
  const clock = koreanDateTime(new Date(page.renderedMs)).slice(0, 16);
  const line = Buffer.from(
    `<p id="stale-page" role="status">지금은 새 내용을 불러올 수 없어 ${clock}의 화면을 보여 드립니다. 잠시 후 다시 열어 주십시오.</p>`,
  );
  const whole = Buffer.concat([bytes.subarray(0, at), line, bytes.subarray(at)]);
  return {
    ...page,
    body: whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength),
    places: page.places.map((place) => (place.at < at ? place : { ...place, at: place.at + line.byteLength })),
  };
}
