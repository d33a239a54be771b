import { pendingWrites } from "./acts.ts";

/** Browsers limit the bodies of concurrent keepalive requests to 64 KiB in total. */
const KEEPALIVE_BYTES = 60_000;
let keptBytes = 0;
let atRisk = 0;

const ask = (event: Event) => event.preventDefault();
/** Asks before leaving while a request is pending that leaving would abort. */
function risk(change: 1 | -1): void {
  atRisk += change;
  if (atRisk > 0) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

/** Sends small writes with keepalive; before larger ones are aborted, the browser asks. */
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
  pendingWrites.add(act);
  const forget = () => pendingWrites.delete(act);
  act.then(forget, forget);
  return act;
}

/** Returns Infinity for bodies of unknown size. */
function bodyBytes(body: RequestInit["body"]): number {
  if (body === null || body === undefined) return 0;
  return typeof body === "string" ? new TextEncoder().encode(body).length : Infinity;
}
