import { setImmediate } from "node:timers/promises";
import type { Miniflare } from "miniflare";

/**
 * Lets closed connections be noticed: workerd ends idle ones after five seconds, and a busy process would reuse them
 * ("fetch failed, other side closed").
 */
export async function readClosedConnections(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

export function readingClosedConnectionsFirst(mf: Miniflare): Miniflare {
  const { dispatchFetch } = mf;
  mf.dispatchFetch = async (...request) => {
    await readClosedConnections();
    return dispatchFetch(...request);
  };
  return mf;
}
