const PARTS = 64;
const ROUNDS = 3;

/** @returns the least time of several rounds, which other work on the machine hardly changes */
export function leastTime(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

/** @returns the cost of a text of repetitions as a multiple of its parts': about 1 if linear, 64 if quadratic */
export function costInParts(read: (text: string) => void, sign: string, length: number): number {
  const part = sign.repeat(Math.ceil(length / sign.length / PARTS));
  const whole = part.repeat(PARTS);
  const parts = leastTime(() => {
    for (let at = 0; at < PARTS; at += 1) read(part);
  });
  // The clock's own step, for work that is too short to measure.
  return leastTime(() => read(whole)) / Math.max(parts, 1);
}

/** Between the multiples of linear and quadratic work. */
export const MOST_LINEAR = 8;
