import { localStore } from "./browser-store.ts";

/** Milliseconds that the server's clock is ahead; stored only while the clocks differ. */
const KEY = "clockDifference";
/** The Date header has whole seconds and the answer takes time. */
const TOLERANCE_MS = 5000;
/** Slower answers say too little about the server's current time. */
const MEASURABLE_MS = 30_000;

/** The server's time, because the device's clock may be wrong by days. */
export const now = (): number => Date.now() + (Number(localStore.read(KEY)) || 0);
export const nowIso = (): string => new Date(now()).toISOString();

export function setClockBy({ headers }: Response, askedAt: number): void {
  const arrivedAt = Date.now();
  const difference = Date.parse(headers.get("Date") ?? "") + 500 - arrivedAt;
  if (Number.isNaN(difference) || arrivedAt - askedAt > MEASURABLE_MS) return;
  if (Math.abs(difference) > TOLERANCE_MS) localStore.write(KEY, String(difference));
  else localStore.remove(KEY);
}

export async function fetchAndSetClock(send: () => Promise<Response>): Promise<Response> {
  const askedAt = Date.now();
  const response = await send();
  setClockBy(response, askedAt);
  return response;
}
