/** Asserts a value that an earlier check guarantees. @throws Error when it is missing */
export function requirePresent<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("A value that must be there is missing.");
  return value;
}
