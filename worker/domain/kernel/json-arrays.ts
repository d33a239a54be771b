/** D1 limits values to 2,000,000 bytes. */
const VALUE_BYTES = 1_500_000;
const encoder = new TextEncoder();

/** Splits values into JSON arrays that fit a D1 parameter; an oversized value gets its own. */
export function jsonArrays(values: readonly unknown[]): string[] {
  const arrays: string[] = [];
  let waiting: string[] = [];
  let size = 2;
  for (const value of values) {
    const text = JSON.stringify(value);
    const bytes = encoder.encode(text).byteLength + 1;
    if (waiting.length > 0 && size + bytes > VALUE_BYTES) {
      arrays.push(`[${waiting.join(",")}]`);
      waiting = [];
      size = 2;
    }
    waiting.push(text);
    size += bytes;
  }
  if (waiting.length > 0) arrays.push(`[${waiting.join(",")}]`);
  return arrays;
}
