import { findStoredPage, type FoundPage, openStore, pageAddress, type StoredPage } from "./page-store.ts";

const NOTE_HEADERS = { stamp: "X-Stamp", until: "X-Until" } as const;
/** A rendering that takes longer is no reason to wait: whoever comes then renders it themselves. */
const RENDERING_MS = 3000;
const WAIT_MS = 10;
/** Pages that this instance renders now, with what was written last when it began. */
const rendering = new Map<string, { stamp: string; until: number }>();

/** Others of this instance, and soon those of others, need not render the page too. */
function beginRendering(url: URL, { stamp }: FoundPage, defer: (work: Promise<unknown>) => void): () => void {
  const key = pageAddress("page", url);
  const mine = { stamp, until: Date.now() + RENDERING_MS };
  rendering.set(key, mine);
  defer(announceRendering(url, stamp).catch(() => undefined));
  return () => void (rendering.get(key) === mine && rendering.delete(key));
}

async function announceRendering(url: URL, stamp: string): Promise<void> {
  const headers = {
    "Cache-Control": `s-maxage=${RENDERING_MS / 1000}`,
    [NOTE_HEADERS.stamp]: stamp,
    [NOTE_HEADERS.until]: String(Date.now() + RENDERING_MS),
  };
  await (await openStore()).put(pageAddress("rendering", url), new Response(null, { headers }));
}

const rendersHere = (url: URL, stamp: string) => {
  const now = rendering.get(pageAddress("page", url));
  return now !== undefined && now.stamp === stamp && now.until > Date.now();
};

async function rendersElsewhere(url: URL, stamp: string): Promise<boolean> {
  const note = await (await openStore()).match(pageAddress("rendering", url)).catch(() => undefined);
  if (!note || note.headers.get(NOTE_HEADERS.stamp) !== stamp) return false;
  return Number(note.headers.get(NOTE_HEADERS.until)) > Date.now();
}

/** A page to answer with, or the turn to render it, with what ends the turn. */
type Turn = { page: StoredPage } | { page: null; found: FoundPage; end(): void };

/**
 * Of a page that is not kept: while somebody renders it, others get the young older copy or wait for what comes of it.
 * Nothing is awaited between the last look and the turn that is taken, or two would take it.
 * @param mayBeOld whether the copy from before will do: not for members, who must find what they just wrote
 */
export async function takeTurn(
  url: URL,
  found: FoundPage,
  defer: (work: Promise<unknown>) => void,
  mayBeOld = true,
): Promise<Turn> {
  const young = mayBeOld && found.isStaleYoung ? found.stale : null;
  if (young && (rendersHere(url, found.stamp) || (await rendersElsewhere(url, found.stamp)))) return { page: young };
  if (!rendersHere(url, found.stamp)) return { page: null, found, end: beginRendering(url, found, defer) };
  if (young) return { page: young };
  while (rendersHere(url, found.stamp)) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  const after = await findStoredPage(url);
  if (after.kept) return { page: after.kept };
  // What it came to is no page to keep, or was overtaken by a write.
  return after.stamp === found.stamp ? { page: null, found, end: () => {} } : takeTurn(url, after, defer, mayBeOld);
}
