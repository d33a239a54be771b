/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number) {
  let state = seed;
  /** From 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new Error("an empty list");
      return picked;
    },
    /** One at least. */
    some<T>(list: readonly T[]): T[] {
      const chosen = list.filter(() => next() < 0.5);
      return chosen.length > 0 ? chosen : list.slice(0, 1);
    },
  };
}

export type Random = ReturnType<typeof randomFrom>;
