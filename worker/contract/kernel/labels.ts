/** Ignores inherited properties such as `constructor`, since `name` comes from outside. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

export const valuesOf = <K extends string>(labels: Record<K, unknown>) => Object.keys(labels) as [K, ...K[]];
