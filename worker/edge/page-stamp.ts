import { newToken } from "./places.ts";
import type { PageScope, WriteTrace } from "./page-scope.ts";

const STAMP_SECONDS = 24 * 60 * 60;
const STAMP_HEADER = "X-Stamp";
const RECENT_MS = 1000;
const RECENT_MAX = 200;
/** Removals and additions have a stamp each, so that neither can write the other's away. */
const KINDS = ["removed", "added"] as const;
type Kind = (typeof KINDS)[number];

/** What this Worker instance found a moment ago. */
const recentStamps = new Map<string, { stamp: string; until: number }>();
/** Counts the writes that went through this instance. */
let writeCount = 0;
export const writesSoFar = () => writeCount;

const stampKey = (origin: string, scope: PageScope, kind: Kind) => `${origin}/stamp/${scope}/${kind}`;

async function readStamp(store: Cache, key: string): Promise<string> {
  const recent = recentStamps.get(key);
  if (recent && recent.until > Date.now()) return recent.stamp;
  const before = writeCount;
  const stamp = (await store.match(key))?.headers.get(STAMP_HEADER) ?? "";
  if (before === writeCount) {
    if (recentStamps.size >= RECENT_MAX) recentStamps.clear();
    recentStamps.set(key, { stamp, until: Date.now() + RECENT_MS });
  }
  return stamp;
}

/** The last writes to these parts of the site: what was taken away, a dot, and what was added. */
export async function lastStamp(store: Cache, origin: string, scopes: readonly PageScope[]): Promise<string> {
  const [removed, added] = await Promise.all(
    KINDS.map(async (kind) => {
      const stamps = scopes.map((scope) => readStamp(store, stampKey(origin, scope, kind)));
      return (await Promise.all(stamps)).join("-");
    }),
  );
  return `${removed}.${added}`;
}

export const removalOf = (stamp: string) => stamp.split(".")[0];

/** Whatever is kept of these parts was rendered before this. */
export async function changeStamps(store: Cache, origin: string, { scopes, isAddition }: WriteTrace): Promise<void> {
  const stamp = newToken();
  await Promise.all(
    scopes.map((scope) =>
      store.put(
        stampKey(origin, scope, isAddition ? "added" : "removed"),
        new Response(null, { headers: { "Cache-Control": `s-maxage=${STAMP_SECONDS}`, [STAMP_HEADER]: stamp } }),
      ),
    ),
  );
}

/** After the stamps are changed: whoever looked meanwhile has found what was there before. */
export function countWrite(): void {
  writeCount += 1;
  recentStamps.clear();
}
