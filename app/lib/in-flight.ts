/** A browser carries at most 64 KiB of bodies past the end of their page, all that are under way together. */
const KEEPALIVE_BYTES = 60_000;
/** An answer that does not come holds nobody on a page for longer. */
const HOLD_MS = 5_000;

const acts = new Set<Promise<unknown>>();
let keptBytes = 0;
let atRisk = 0;

const ask = (event: Event) => event.preventDefault();
/** While something is under way that the end of the page would cut off, the browser asks before it leaves. */
function risk(change: 1 | -1): void {
  atRisk += change;
  if (atRisk > 0) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

/**
 * Sends what changes something, so that leaving the page does not undo it: the browser finishes a small request without
 * its page, and asks before a large one, or one that waits for its token, is given up.
 */
export function sendAct(
  prepare: () => Promise<RequestInit>,
  send: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const run = async () => {
    risk(1);
    let bytes = 0;
    let isAtRisk = true;
    try {
      const init = await prepare();
      const size = bodyBytes(init.body);
      const keepalive = keptBytes + size <= KEEPALIVE_BYTES;
      if (keepalive) keptBytes += bytes = size;
      const answer = send({ ...init, keepalive });
      if (keepalive) {
        risk(-1);
        isAtRisk = false;
      }
      return await answer;
    } finally {
      keptBytes -= bytes;
      if (isAtRisk) risk(-1);
    }
  };
  const act = run();
  acts.add(act);
  const forget = () => acts.delete(act);
  act.then(forget, forget);
  return act;
}

/** Infinity for what is no text: its size is not known before it is sent. */
function bodyBytes(body: RequestInit["body"]): number {
  if (body === null || body === undefined) return 0;
  return typeof body === "string" ? new TextEncoder().encode(body).length : Infinity;
}

/** Until everything that was sent is answered, so that the next page shows what it did. */
export async function waitForActs(): Promise<void> {
  if (acts.size === 0) return;
  const enough = new Promise((resolve) => setTimeout(resolve, HOLD_MS));
  await Promise.race([Promise.allSettled(acts), enough]);
}
