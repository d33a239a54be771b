const PARTS = 64;
const ROUNDS_MAX = 20;

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** @returns the least time of three rounds, which other work on the machine hardly changes */
export const leastTime = (work: () => void): number => Math.min(...Array.from({ length: 3 }, () => timeOf(work)));

/** Between the multiples of linear and quadratic work. */
export const MOST_LINEAR = 8;

/**
 * @returns the cost of a text of repetitions as a multiple of its parts': about 1 if linear, 64 if quadratic. Other work
 * on the machine can only spoil a round, so that another one follows.
 */
export function costInParts(read: (text: string) => void, sign: string, length: number): number {
  const part = sign.repeat(Math.ceil(length / sign.length / PARTS));
  const whole = part.repeat(PARTS);
  let least = Infinity;
  for (let round = 0; round < ROUNDS_MAX && least >= MOST_LINEAR; round += 1) {
    const parts = timeOf(() => {
      for (let at = 0; at < PARTS; at += 1) read(part);
    });
    // The clock's own step, for work that is too short to measure.
    least = Math.min(least, timeOf(() => read(whole)) / Math.max(parts, 1));
  }
  return least;
}
