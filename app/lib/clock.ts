import { localStore } from "./browser-store.ts";

/** Milliseconds that the server's clock is ahead of this computer's; kept only while the two differ. */
const KEY = "clockDifference";
/** The header counts whole seconds, and the answer takes a while. */
const TOLERANCE_MS = 5000;
/** An answer that took longer says too little about the server's present time. */
const MEASURABLE_MS = 30_000;

/** The server's time, as far as this browser knows it: a computer's own clock may be wrong by days. */
export const now = (): number => Date.now() + (Number(localStore.read(KEY)) || 0);
export const nowIso = (): string => new Date(now()).toISOString();

/** Takes the server's time from an answer that was asked for at `askedAt` by this computer's clock. */
export function setClockBy({ headers }: Response, askedAt: number): void {
  const arrivedAt = Date.now();
  const difference = Date.parse(headers.get("Date") ?? "") + 500 - arrivedAt;
  if (Number.isNaN(difference) || arrivedAt - askedAt > MEASURABLE_MS) return;
  if (Math.abs(difference) > TOLERANCE_MS) localStore.write(KEY, String(difference));
  else localStore.remove(KEY);
}

/** Makes a request and sets the clock by its answer. */
export async function fetchAndSetClock(send: () => Promise<Response>): Promise<Response> {
  const askedAt = Date.now();
  const response = await send();
  setClockBy(response, askedAt);
  return response;
}
