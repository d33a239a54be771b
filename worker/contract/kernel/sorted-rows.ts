/** Counts the rows until a text, of rows in the order of their texts. */
export function countUntil<Row>(rows: readonly Row[], textOf: (row: Row) => string, text: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && textOf(row) <= text) low = middle + 1;
    else high = middle;
  }
  return low;
}
