/** What must be there by what was asked before. @throws Error when it is not */
export function requirePresent<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("A value that must be there is missing.");
  return value;
}
