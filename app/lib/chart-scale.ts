/** Whole steps of 1, 2 or 5 times a power of ten, about four of them up to `highest`. */
function tickStep(highest: number): number {
  const step = Math.max(1, highest / 4);
  const power = 10 ** Math.floor(Math.log10(step));
  const share = step / power;
  return power * (share >= Math.sqrt(50) ? 10 : share >= Math.sqrt(10) ? 5 : share >= Math.sqrt(2) ? 2 : 1);
}

export const ticksOf = (highest: number): number[] =>
  Array.from({ length: Math.floor(highest / tickStep(highest)) + 1 }, (_, at) => at * tickStep(highest));

/** The next number that is a whole step. */
export function niceTop(highest: number): number {
  const top = Math.ceil(highest / tickStep(highest)) * tickStep(highest);
  return top === highest ? top : niceTop(top);
}

/** Equal bands from `start` to `end`. @param padding share of a step */
export function bandsOf(count: number, start: number, end: number, padding: number) {
  const step = (end - start) / Math.max(1, count + padding);
  const first = start + (end - start - step * (count - padding)) / 2;
  return { size: step * (1 - padding), startOf: (at: number) => first + step * at };
}
