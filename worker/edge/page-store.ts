import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { SHARED_SECONDS } from "./shared-page.ts";

/** Rendered with `token` where the nonce goes: nobody knew it when the page was written, so it stands nowhere else. */
export interface StoredPage {
  body: ArrayBuffer;
  /** Of the answer, what its reader needs. */
  headers: Record<string, string>;
  /** Where in `body` the token's bytes begin. */
  places: number[];
  /** The last write that was known when the page was asked for. */
  stamp: string;
  /** When it was rendered. */
  renderedMs: number;
}

declare const __BUILD__: string;
const STORE_NAME = "guest-pages";
const STAMP_SECONDS = 24 * 60 * 60;
const STORED_HEADERS = {
  places: "X-Nonce-At",
  stamp: "X-Stamp",
  rendered: "X-Rendered",
  freshUntil: "X-Fresh-Until",
} as const;
/** How long an old page may stand in while the database answers nobody. */
const STALE_SECONDS = 60 * 60;

const READER_HEADERS = ["Content-Type", "Link", "X-Remix-Response"];

export const headersForReader = (headers: Headers): Record<string, string> =>
  Object.fromEntries(READER_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

// Apart from the zone's own cache: what lies here no address reaches.
const openStore = () => caches.open(STORE_NAME);
const pageKey = (url: URL) => `${url.origin}/${__BUILD__}/page${url.pathname}${url.search}`;
const stampKey = (url: URL) => `${url.origin}/stamp`;

/** 32 hexadecimal digits, unguessable: a nonce, or what stands in its place. */
export const newNonce = () => crypto.randomUUID().replaceAll("-", "");

/** What this Worker instance found a moment ago: in a rush the cache itself need not be asked either. */
const recentPages = new Map<string, { found: FoundPage; until: number }>();
let recentStamp = { key: "", stamp: "", until: 0 };
const RECENT_MS = 1000;
const RECENT_MAX = 100;
/** Counts the writes that went through this instance. */
let writeCount = 0;

interface FoundPage {
  kept: StoredPage | null;
  /** An older one that shows nothing that was taken away since, for when there is no other. */
  stale: StoredPage | null;
  stamp: string;
}

/** The kept answer for this address if nothing was written here since, and the stamp for a new one. No database. */
export async function findStoredPage(url: URL): Promise<FoundPage> {
  const key = pageKey(url);
  const near = recentPages.get(key);
  if (near && near.until > Date.now()) return near.found;
  const before = writeCount;
  const found = await lookUpPage(url).catch(() => ({ kept: null, stale: null, stamp: "" }));
  recentPages.delete(key);
  if (found.kept && before === writeCount) {
    if (recentPages.size >= RECENT_MAX) recentPages.clear();
    recentPages.set(key, { found, until: Date.now() + RECENT_MS });
  }
  return found;
}

async function lookUpPage(url: URL): Promise<FoundPage> {
  const store = await openStore();
  const [stamp, found] = await Promise.all([lastStamp(store, url), store.match(pageKey(url))]);
  const foundStamp = found?.headers.get(STORED_HEADERS.stamp) ?? "";
  if (!found || removalOf(foundStamp) !== removalOf(stamp)) {
    await found?.body?.cancel();
    return { kept: null, stale: null, stamp };
  }
  const places = (found.headers.get(STORED_HEADERS.places) ?? "").split(",").filter(Boolean).map(Number);
  const renderedMs = Number(found.headers.get(STORED_HEADERS.rendered));
  const body = await found.arrayBuffer();
  const page = { body, headers: headersForReader(found.headers), places, stamp: foundStamp, renderedMs };
  const isFresh = foundStamp === stamp && Date.now() < Number(found.headers.get(STORED_HEADERS.freshUntil));
  return { kept: isFresh ? page : null, stale: page, stamp };
}

/** A stamp is that of the last write that may have taken something away, a dot, and that of the last write. */
const removalOf = (stamp: string) => stamp.split(".")[0];

async function lastStamp(store: Cache, url: URL): Promise<string> {
  const key = stampKey(url);
  if (recentStamp.key === key && recentStamp.until > Date.now()) return recentStamp.stamp;
  const before = writeCount;
  const stamp = (await store.match(key))?.headers.get(STORED_HEADERS.stamp) ?? "";
  if (before === writeCount) recentStamp = { key, stamp, until: Date.now() + RECENT_MS };
  return stamp;
}

export async function storePage(url: URL, page: StoredPage, seconds: number): Promise<void> {
  const store = await openStore();
  await store.put(
    pageKey(url),
    new Response(page.body, {
      headers: {
        ...page.headers,
        "Cache-Control": `s-maxage=${STALE_SECONDS}`,
        [STORED_HEADERS.places]: page.places.join(","),
        [STORED_HEADERS.stamp]: page.stamp,
        [STORED_HEADERS.rendered]: String(page.renderedMs),
        [STORED_HEADERS.freshUntil]: String(Date.now() + 1000 * Math.min(seconds, SHARED_SECONDS)),
      },
    }),
  );
}

/**
 * Whatever is kept was rendered before this: asked for before the answer to a write goes out, its writer sees it.
 * @param isAddition nothing that stood on a page is gone by it, so that older pages may stand in when nothing else can
 */
export async function recordWrite(url: URL, isAddition: boolean): Promise<void> {
  try {
    const store = await openStore();
    const before = (await store.match(stampKey(url)))?.headers.get(STORED_HEADERS.stamp) ?? "";
    const stamp = `${isAddition ? removalOf(before) : newNonce()}.${newNonce()}`;
    const headers = { "Cache-Control": `s-maxage=${STAMP_SECONDS}`, [STORED_HEADERS.stamp]: stamp };
    await store.put(stampKey(url), new Response(null, { headers }));
  } catch {
    // Without a cache there is nothing that could be old.
  }
  // Only now: whoever looked meanwhile has found what was there before.
  writeCount += 1;
  recentPages.clear();
  recentStamp = { key: "", stamp: "", until: 0 };
}

/** Where the token stands in a rendered page. */
export function noncePlacesOf(body: ArrayBuffer, token: string): number[] {
  const bytes = Buffer.from(body);
  const places: number[] = [];
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + token.length)) places.push(at);
  return places;
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
    places: page.places.map((place) => (place < at ? place : place + line.byteLength)),
  };
}

/** The page with a nonce of its own in each of the token's places. */
export function fillInNonce({ body, places }: StoredPage, nonce: string): ArrayBuffer {
  const copy = body.slice(0);
  const own = new Uint8Array(copy);
  const digits = new TextEncoder().encode(nonce);
  for (const place of places) own.set(digits, place);
  return copy;
}
