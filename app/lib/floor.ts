/** Adds what Chrome 109 lacks of the built-ins that the browser's code uses; test/boundary.test.ts finds any other. */
export function add(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

add(Array.prototype, "toSorted", function toSorted(this: unknown[], compare?: (a: unknown, b: unknown) => number) {
  const copy = Array.from(this);
  copy.sort(compare);
  return copy;
});
add(Array.prototype, "toReversed", function toReversed(this: unknown[]) {
  const copy = Array.from(this);
  copy.reverse();
  return copy;
});
add(Array.prototype, "toSpliced", function toSpliced(this: unknown[], ...change: [number, number, ...unknown[]]) {
  const copy = Array.from(this);
  copy.splice(...change);
  return copy;
});
add(Array.prototype, "with", function replaced(this: unknown[], at: number, value: unknown) {
  return Object.assign(Array.from(this), { [at < 0 ? this.length + at : at]: value });
});
add(URL, "canParse", (url: string, base?: string) => {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
});
