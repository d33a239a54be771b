import { setImmediate } from "node:timers/promises";
import type { Miniflare } from "miniflare";

/**
 * workerd closes a connection that was idle for five seconds. Preparing statements holds this process up, on a busy machine
 * for as long, and the next request would go out on such a connection ("fetch failed, other side closed"). Awaited between
 * the two it lets the end be read first; one turn alone, begun while an answer is read, may be over before the system is asked.
 */
export async function readClosedConnections(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Before all that is sent to it, also by its stand-ins of bindings. */
export function readingClosedConnectionsFirst(mf: Miniflare): Miniflare {
  const { dispatchFetch } = mf;
  mf.dispatchFetch = async (...request) => {
    await readClosedConnections();
    return dispatchFetch(...request);
  };
  return mf;
}
