/** Something that takes longer than a second, and how far it is. */
export interface BusyState {
  label: string;
  percent?: number;
  /** Seconds that are left, once it can be told. */
  left?: number;
  /** Is what was done so far kept, and gone on with later? */
  canLeave?: boolean;
}

const TELLS_AFTER_MS = 2000;

/** Percent of a work with the rest of its time, judged by how long it took so far. */
export function progressOf(label: string, began = performance.now()) {
  return (percent: number): BusyState => {
    const took = performance.now() - began;
    if (percent <= 0 || percent >= 100 || took < TELLS_AFTER_MS) return { label, percent };
    return { label, percent, left: Math.max(1, Math.round((took / percent) * (100 - percent) * 0.001)) };
  };
}
