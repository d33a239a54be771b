import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { openStore, parseViews, removalOf, type ViewCount } from "./page-stamp.ts";
import { type Placeholder, readPlaceholders, writePlaceholders } from "./placeholders.ts";

/** Rendered with unguessable tokens in place of personal values, which therefore occur nowhere else. */
export interface StoredPage {
  body: ArrayBuffer;
  headers: Record<string, string>;
  placeholders: Placeholder[];
  stamp: string;
  /** Counts for guests as of the stamp of views; members are given those of now. */
  views: ViewCount[];
  viewed: string;
  renderedMs: number;
  untilMs: number;
}

declare const __BUILD__: string;
const STORED_HEADERS = {
  placeholders: "X-Places",
  stamp: "X-Stamp",
  views: "X-Views",
  viewed: "X-Viewed",
  rendered: "X-Rendered",
  until: "X-Until",
} as const;
/** How long a stale page is served while the database is down. */
const STALE_MS = 60 * 60_000;

const READER_HEADERS = ["Content-Type", "Link", "X-Remix-Response", "ETag", "Last-Modified"];

export const headersForReader = (headers: Headers): Record<string, string> =>
  Object.fromEntries(READER_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

// A separate cache, so that no public address reaches these entries.
const pageKey = (url: URL) => `${url.origin}/${__BUILD__}/page${url.pathname}${url.search}`;

/** Local copies spare cache lookups under load. */
const recentPages = new Map<string, StoredPage>();
const RECENT_MAX = 100;

function keepAtHand(key: string, page: StoredPage): void {
  if (recentPages.size >= RECENT_MAX) recentPages.clear();
  recentPages.set(key, page);
}

interface FoundPage {
  kept: StoredPage | null;
  old: StoredPage | null;
}

export async function findPage(url: URL, stamp: string | null): Promise<FoundPage> {
  const key = pageKey(url);
  const isValid = (page: StoredPage | null | undefined) => page?.stamp === stamp && Date.now() < page.untilMs;
  let page = recentPages.get(key) ?? null;
  if (!isValid(page)) page = (await readPage(key).catch(() => null)) ?? page;
  if (!page || removalOf(page.stamp) !== removalOf(stamp)) return { kept: null, old: null };
  const old = Date.now() < page.untilMs + STALE_MS ? page : null;
  if (!isValid(page)) return { kept: null, old };
  keepAtHand(key, page);
  return { kept: page, old };
}

async function readPage(key: string): Promise<StoredPage | null> {
  const found = await (await openStore()).match(key);
  if (!found) return null;
  const header = (name: keyof typeof STORED_HEADERS) => found.headers.get(STORED_HEADERS[name]) ?? "";
  return {
    body: await found.arrayBuffer(),
    headers: headersForReader(found.headers),
    placeholders: readPlaceholders(header("placeholders")),
    stamp: header("stamp"),
    views: parseViews(header("views") || "[]"),
    viewed: header("viewed"),
    renderedMs: Number(header("rendered")),
    untilMs: Number(header("until")),
  };
}

export async function storePage(url: URL, page: StoredPage): Promise<void> {
  keepAtHand(pageKey(url), page);
  const seconds = Math.ceil((page.untilMs + STALE_MS - Date.now()) / 1000);
  const response = new Response(page.body, {
    headers: {
      ...page.headers,
      "Cache-Control": `s-maxage=${seconds}`,
      [STORED_HEADERS.placeholders]: writePlaceholders(page.placeholders),
      [STORED_HEADERS.stamp]: page.stamp,
      [STORED_HEADERS.views]: JSON.stringify(page.views),
      [STORED_HEADERS.viewed]: page.viewed,
      [STORED_HEADERS.rendered]: String(page.renderedMs),
      [STORED_HEADERS.until]: String(page.untilMs),
    },
  });
  await (await openStore()).put(pageKey(url), response);
}

/** Waiting requests give up after this and render the page themselves. */
const RENDERING_MS = 3000;
const WAIT_MS = 10;
const rendering = new Map<string, number>();

/**
 * Returns another request's page, or the turn to render it. No await may come between check and claim, or two requests
 * claim.
 */
export async function takeTurn(
  url: URL,
  stamp: string | null,
): Promise<{ page: StoredPage } | { page: null; end(): void }> {
  const key = `${pageKey(url)} ${stamp}`;
  const isRendered = () => (rendering.get(key) ?? 0) > Date.now();
  if (!isRendered()) {
    const until = Date.now() + RENDERING_MS;
    rendering.set(key, until);
    return { page: null, end: () => void (rendering.get(key) === until && rendering.delete(key)) };
  }
  while (isRendered()) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  const { kept } = await findPage(url, stamp);
  return kept ? { page: kept } : { page: null, end: () => {} };
}

/** Inserts a notice that the page is old; feeds and data stay unchanged. */
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
    placeholders: page.placeholders.map((placeholder) =>
      placeholder.at < at ? placeholder : { ...placeholder, at: placeholder.at + line.byteLength },
    ),
  };
}
