/** The named fields of a row, dates as ISO 8601 text. */
export const fieldsOf = <Row extends object, Name extends keyof Row & string>(row: Row, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name] instanceof Date ? row[name].toISOString() : row[name]])) as {
    [K in Name]: Row[K] extends Date ? string : Row[K] extends Date | null ? string | null : Row[K];
  };
