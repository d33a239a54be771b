export type RowValues = Readonly<Record<string, unknown>>;

/**
 * The values that a deed replaced, or null if one of them was changed since. Values that the deed did not change do
 * not count; one that is already as before the deed does not either.
 */
export function undoneValues(before: RowValues, after: RowValues, current: RowValues): RowValues | null {
  const touched = Object.keys(before).filter((key) => before[key] !== after[key]);
  const isOurs = (key: string) => current[key] === after[key] || current[key] === before[key];
  return touched.every(isOurs) ? Object.fromEntries(touched.map((key) => [key, before[key]])) : null;
}

export const withoutKeys = (values: RowValues, keys: readonly string[]): RowValues =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
