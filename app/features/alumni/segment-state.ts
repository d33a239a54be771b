import type { AlumniSelection } from "#worker/contract/alumni/conditions.ts";

export interface HandedSegment {
  segment: AlumniSelection;
  count: number;
}

/** Returns null if the page was opened directly. */
export function readHandedSegment(state: unknown): HandedSegment | null {
  if (typeof state !== "object" || state === null || !("segment" in state) || !("count" in state)) return null;
  return typeof state.count === "number" ? (state as HandedSegment) : null;
}
