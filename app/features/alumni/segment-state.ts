import type { AlumniSelection } from "#worker/contract/alumni/selection.ts";

/** Whom a list hands on: to paper and to figures, as to mail. */
export interface HandedSegment {
  segment: AlumniSelection;
  /** How many there were in the list. */
  count: number;
}

/** What the page before handed over; null where the page was opened by its address. */
export function readHandedSegment(state: unknown): HandedSegment | null {
  if (typeof state !== "object" || state === null || !("segment" in state) || !("count" in state)) return null;
  return typeof state.count === "number" ? (state as HandedSegment) : null;
}
