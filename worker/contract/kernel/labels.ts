/** What a table holds under a name from outside: an object inherits values under `constructor` and its like. */
export const ownValue = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

/** The values that have a label, in the order in which the labels stand. */
export const valuesOf = <K extends string>(labels: Record<K, unknown>) => Object.keys(labels) as [K, ...K[]];
