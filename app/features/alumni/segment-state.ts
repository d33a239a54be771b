import { alumniFilterOf, type AlumniListChoice } from "#app/features/alumni/list-choice.ts";

/** Whom a list hands on: to mail, to paper and to figures alike. */
export type SegmentTarget = { ids: string[] } | { filter: ReturnType<typeof alumniFilterOf> };

export interface HandedSegment {
  segment: SegmentTarget;
  /** How many there were in the list. */
  count: number;
}

/** Those who are ticked, or all whom the list shows. */
export const segmentOfList = (choice: AlumniListChoice, selected: readonly string[]): SegmentTarget =>
  selected.length > 0 ? { ids: [...selected] } : { filter: alumniFilterOf(choice) };

/** What the page before handed over; null where the page was opened by its address. */
export function readHandedSegment(state: unknown): HandedSegment | null {
  if (typeof state !== "object" || state === null || !("segment" in state) || !("count" in state)) return null;
  return typeof state.count === "number" ? (state as HandedSegment) : null;
}
