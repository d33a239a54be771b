/** The row that is worked on as it is stored now; one that somebody removed meanwhile stays as it was. */
export function findNewestRow<Row extends object, Work>(
  work: Work | Row,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Work | Row {
  if (typeof work !== "object" || work === null) return work;
  return rows.find((row) => nameOf(row) === nameOf(work as Row)) ?? work;
}
