/** The longest time that a missing answer delays navigation. */
const HOLD_MS = 5_000;

export const pendingWrites = new Set<Promise<unknown>>();

/** Waits for pending writes so that the next page shows their results. */
export async function waitForActs(): Promise<void> {
  if (pendingWrites.size > 0)
    await Promise.race([Promise.allSettled(pendingWrites), new Promise((resolve) => setTimeout(resolve, HOLD_MS))]);
}
