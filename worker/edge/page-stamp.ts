import { RENEW_STAMPS_SQL, STAMPS_SQL, VIEWS_SQL } from "#db/page-stamps.ts";
import { newToken } from "./placeholders.ts";

/** Invalidation scope, described in db/schema/page-stamp.ts. */
export type PageScope = "site" | "boards" | `${"board" | "items" | "item"}:${string}`;

export type PageStamps = Record<string, [stamp: string, removal: string, viewed: string]>;

/** How long stamps are trusted; bounds the delay of writes elsewhere in the network. */
export const TRUSTED_SECONDS = 50;
/** How long stamps reveal removals while the database is down. */
const KEPT_SECONDS = 24 * 60 * 60;
const RECENT_MS = 1000;
const HEADERS = { write: "X-Write", read: "X-Read" } as const;

async function readStampsText(d1: D1Database): Promise<string> {
  const [, found] = await d1.batch<{ stamps: string }>([d1.prepare(RENEW_STAMPS_SQL), d1.prepare(STAMPS_SQL)]);
  return found?.results[0]?.stamps ?? "{}";
}

export const parseStamps = (text: string) => JSON.parse(text || "{}") as PageStamps;

export const readStamps = async (d1: D1Database) => parseStamps(await readStampsText(d1));

const stampsIn = (stamps: PageStamps, scopes: readonly PageScope[]) =>
  scopes.map((scope) => stamps[scope] ?? (["", "", ""] as const));

/** Joins last writes and last removals; null if a scope was written since. @param showsViews false if they are filled in */
export function stampOf(stamps: PageStamps, scopes: readonly PageScope[], showsViews: boolean): string | null {
  const found = stampsIn(stamps, scopes);
  const written = found.flatMap(([stamp, , viewed]) => (showsViews ? [stamp, viewed] : [stamp]));
  if (written.includes("")) return null;
  return `${written.join("-")}.${found.map(([, removal]) => removal).join("-")}`;
}

/** Joins the stamps of views; null if a scope was viewed since. */
export function viewedOf(stamps: PageStamps, scopes: readonly PageScope[]): string | null {
  const viewed = stampsIn(stamps, scopes).map(([, , each]) => each);
  return viewed.includes("") ? null : viewed.join("-");
}

export type ViewCount = [itemNo: number, viewCount: number];

export const parseViews = (text: string) => JSON.parse(text) as ViewCount[];

export async function readViews(d1: D1Database, boardCode: string, itemNos: number[]): Promise<ViewCount[]> {
  const where = "WHERE board_code = ? AND item_no IN (SELECT value FROM json_each(?))";
  const asked = d1.prepare(`${VIEWS_SQL} ${where}`).bind(boardCode, JSON.stringify(itemNos));
  return parseViews((await asked.first<string>("views")) ?? "[]");
}

export const removalOf = (stamp: string | null) => stamp?.split(".")[1];

let recent: { text: string; stamps: PageStamps; until: number } = { text: "", stamps: {}, until: 0 };
/** Reads a text of stamps once, not for each page. */
function remember(text: string, until: number): void {
  recent = { text, stamps: text === recent.text ? recent.stamps : parseStamps(text), until };
}
let writeCount = 0;
export const writesSoFar = () => writeCount;
export const seenStamps = () => recent.text;

const storeKey = (env: Env, what: "stamps" | "write") => `${env.SITE_ORIGIN}/page-${what}`;

export const openStore = () => caches.open("kept-pages");

async function putInStore(env: Env, what: "stamps" | "write", text: string, write: string): Promise<void> {
  const headers = {
    "Cache-Control": `s-maxage=${KEPT_SECONDS}`,
    [HEADERS.write]: write,
    [HEADERS.read]: String(Date.now()),
  };
  await (await openStore()).put(storeKey(env, what), new Response(text, { headers }));
}

async function readFromStore(env: Env) {
  const store = await openStore();
  const [stamps, write] = await Promise.all([
    store.match(storeKey(env, "stamps")),
    store.match(storeKey(env, "write")),
  ]);
  const token = write?.headers.get(HEADERS.write) ?? "";
  const text = (await stamps?.text()) ?? "";
  // Stamps read before the last known write are outdated.
  const isKnown = stamps?.headers.get(HEADERS.write) === token;
  const until = Number(stamps?.headers.get(HEADERS.read)) + TRUSTED_SECONDS * 1000;
  return { token, text: isKnown ? text : "", isTrusted: isKnown && until > Date.now() };
}

/** Avoids the database for guests while stamps are trusted. @returns `isCurrent` false when the database fails */
export async function knownStamps(env: Env): Promise<{ stamps: PageStamps; isCurrent: boolean }> {
  const answer = (text: string, isCurrent: boolean) => ({
    stamps: text === recent.text ? recent.stamps : parseStamps(text),
    isCurrent,
  });
  if (recent.until > Date.now()) return answer(recent.text, true);
  const before = writeCount;
  const kept = await readFromStore(env).catch(() => ({ token: "", text: "", isTrusted: false }));
  const keep = (text: string) => {
    if (before === writeCount) remember(text, Date.now() + RECENT_MS);
  };
  if (kept.isTrusted) {
    keep(kept.text);
    return answer(kept.text, true);
  }
  try {
    const text = await readStampsText(env.DB);
    keep(text);
    await putInStore(env, "stamps", text, kept.token).catch(() => undefined);
    return answer(text, true);
  } catch {
    return answer(kept.text, false);
  }
}

/**
 * Runs after a write, before the response, so that guests here see nothing older. @param seen stamps known before the
 * call
 */
export async function noteWrite(env: Env, seen: string): Promise<void> {
  const text = await readStampsText(env.DB).catch(() => "");
  if (text !== "" && text === seen) return;
  writeCount += 1;
  remember(text, text === "" ? 0 : Date.now() + RECENT_MS);
  const write = newToken();
  try {
    await putInStore(env, "write", "", write);
    if (text) await putInStore(env, "stamps", text, write);
  } catch {}
}
