export function auditDifference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const pick = (from: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, shortened(from[key])]));
  return { before: pick(before), after: pick(after) };
}

const shortened = (value: unknown) =>
  typeof value === "string" && value.length > 500 ? `${value.slice(0, 500)}…` : value;
