/** The values that have a label, in the order in which the labels stand. */
export const valuesOf = <K extends string>(labels: Record<K, unknown>) => Object.keys(labels) as [K, ...K[]];
