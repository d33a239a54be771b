// What every page has; how acts are sent comes with the first page that has one (`send-act.ts`).

/** An answer that does not come holds nobody on a page for longer. */
const HOLD_MS = 5_000;

/** What was sent to change something and is not answered yet. */
export const actsUnderWay = new Set<Promise<unknown>>();

/** Until everything that was sent is answered, so that the next page shows what it did. */
export async function waitForActs(): Promise<void> {
  if (actsUnderWay.size > 0)
    await Promise.race([Promise.allSettled(actsUnderWay), new Promise((resolve) => setTimeout(resolve, HOLD_MS))]);
}
