import { actsUnderWay } from "./acts.ts";

/** A browser carries at most 64 KiB of bodies past the end of their page, all that are under way together. */
const KEEPALIVE_BYTES = 60_000;
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
  actsUnderWay.add(act);
  const forget = () => actsUnderWay.delete(act);
  act.then(forget, forget);
  return act;
}

/** Infinity for what is no text: its size is not known before it is sent. */
function bodyBytes(body: RequestInit["body"]): number {
  if (body === null || body === undefined) return 0;
  return typeof body === "string" ? new TextEncoder().encode(body).length : Infinity;
}
