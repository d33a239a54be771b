/** Everything runs in `npm run test:full`; `npm test` runs a tenth of the longest walks. */
export const isFull = Boolean(process.env.FULL);

const TENTHS = 10;
/** Set by vitest.config.ts to the day's number, so that ten days in a row walk every row. */
const seed = Number(process.env.SEED);
/** Of the first of several random sequences. */
export const FIRST_SEED = seed;

/** The part of a walk that runs, for its title. */
export const SAMPLE_NOTE = isFull ? "every row" : `a tenth by SEED=${seed}`;

/** A tenth of the rows, with at least one of each kind; every row in the full tier. */
export function sample<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  kindOf: (row: Row) => string = () => "",
): Row[] {
  if (isFull) return [...rows];
  const tenthOf = (row: Row) => (hash(keyOf(row)) + seed) % TENTHS;
  const kinds = new Map<string, Row[]>();
  for (const row of rows) kinds.set(kindOf(row), [...(kinds.get(kindOf(row)) ?? []), row]);
  return [...kinds.values()].flatMap((kind) => {
    const chosen = kind.filter((row) => tenthOf(row) === 0);
    return chosen.length > 0 ? chosen : kind.toSorted((one, other) => tenthOf(one) - tenthOf(other)).slice(0, 1);
  });
}

/** FNV-1a: the same in Node and in workerd. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}
