import { SHARED_SECONDS } from "./shared-page.ts";

/** Rendered with `token` where the nonce goes: nobody knew it when the page was written, so it stands nowhere else. */
export interface KeptPage {
  body: ArrayBuffer;
  /** Of the answer, what its reader needs. */
  headers: Record<string, string>;
  /** Where in `body` the token's bytes begin. */
  places: number[];
  /** The last write that was known when the page was asked for. */
  stamp: string;
}

declare const __BUILD__: string;
const STORE = "guest-pages";
const STAMP_SECONDS = 24 * 60 * 60;
const HEADER = { places: "X-Nonce-At", stamp: "X-Stamp" } as const;

const READERS = ["Content-Type", "Link", "X-Remix-Response"];

export const readersHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(READERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

// Apart from the zone's own cache: what lies here no address reaches.
const open = () => caches.open(STORE);
const pageKey = (url: URL) => `${url.origin}/${__BUILD__}/page${url.pathname}${url.search}`;
const stampKey = (url: URL) => `${url.origin}/stamp`;

/** 32 hexadecimal digits, unguessable: a nonce, or what stands in its place. */
export const newNonce = () => crypto.randomUUID().replaceAll("-", "");

/** What this Worker instance found a moment ago: in a rush the cache itself need not be asked either. */
const atHand = new Map<string, { found: Found; until: number }>();
let stampAtHand = { key: "", stamp: "", until: 0 };
const AT_HAND_MS = 1000;
const AT_HAND_MAX = 100;
/** Counts the writes that went through this instance. */
let writes = 0;

interface Found {
  kept: KeptPage | null;
  stamp: string;
}

/** The kept answer for this address if nothing was written here since, and the stamp for a new one. No database. */
export async function findPage(url: URL): Promise<Found> {
  const key = pageKey(url);
  const near = atHand.get(key);
  if (near && near.until > Date.now()) return near.found;
  const before = writes;
  const found = await look(url).catch(() => ({ kept: null, stamp: "" }));
  atHand.delete(key);
  if (found.kept && before === writes) {
    if (atHand.size >= AT_HAND_MAX) atHand.clear();
    atHand.set(key, { found, until: Date.now() + AT_HAND_MS });
  }
  return found;
}

async function look(url: URL): Promise<Found> {
  const store = await open();
  const [stamp, found] = await Promise.all([lastStamp(store, url), store.match(pageKey(url))]);
  if (!found || found.headers.get(HEADER.stamp) !== stamp) {
    await found?.body?.cancel();
    return { kept: null, stamp };
  }
  const places = (found.headers.get(HEADER.places) ?? "").split(",").filter(Boolean).map(Number);
  return { kept: { body: await found.arrayBuffer(), headers: readersHeaders(found.headers), places, stamp }, stamp };
}

async function lastStamp(store: Cache, url: URL): Promise<string> {
  const key = stampKey(url);
  if (stampAtHand.key === key && stampAtHand.until > Date.now()) return stampAtHand.stamp;
  const before = writes;
  const stamp = (await store.match(key))?.headers.get(HEADER.stamp) ?? "";
  if (before === writes) stampAtHand = { key, stamp, until: Date.now() + AT_HAND_MS };
  return stamp;
}

export async function keepPage(url: URL, page: KeptPage, seconds: number): Promise<void> {
  const store = await open();
  await store.put(
    pageKey(url),
    new Response(page.body, {
      headers: {
        ...page.headers,
        "Cache-Control": `s-maxage=${Math.min(seconds, SHARED_SECONDS)}`,
        [HEADER.places]: page.places.join(","),
        [HEADER.stamp]: page.stamp,
      },
    }),
  );
}

/** Whatever is kept was rendered before this: asked for before the answer to a write goes out, its writer sees it. */
export async function noteWrite(url: URL): Promise<void> {
  try {
    const store = await open();
    const headers = { "Cache-Control": `s-maxage=${STAMP_SECONDS}`, [HEADER.stamp]: newNonce() };
    await store.put(stampKey(url), new Response(null, { headers }));
  } catch {
    // Without a cache there is nothing that could be old.
  }
  // Only now: whoever looked meanwhile has found what was there before.
  writes += 1;
  atHand.clear();
  stampAtHand = { key: "", stamp: "", until: 0 };
}

/** Where the token stands in a rendered page. */
export function placesOf(body: ArrayBuffer, token: string): number[] {
  const bytes = Buffer.from(body);
  const places: number[] = [];
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + token.length)) places.push(at);
  return places;
}

/** The page with a nonce of its own in each of the token's places. */
export function withNonce({ body, places }: KeptPage, nonce: string): ArrayBuffer {
  const copy = body.slice(0);
  const own = new Uint8Array(copy);
  const digits = new TextEncoder().encode(nonce);
  for (const place of places) own.set(digits, place);
  return copy;
}
