import { isRouteErrorResponse } from "react-router";

/** Values that have a number of their own instead of a place. */
const NAMED: readonly [value: unknown, number: number][] = [
  [undefined, -7],
  [null, -5],
  [Number.NaN, -2],
  [Number.POSITIVE_INFINITY, -6],
  [Number.NEGATIVE_INFINITY, -3],
];

/** Writes JSON data and errors in the format that React Router's browser part reads, each value once. */
export function flattenData(data: unknown): string {
  const written: string[] = [];
  const places = new Map(NAMED);
  const placeOf = (value: unknown): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const place = written.push("") - 1;
    places.set(value, place);
    written[place] = write(value);
    return place;
  };
  const write = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(placeOf).join(",")}]`;
    if (isRouteErrorResponse(value)) return named("ErrorResponse", value.data, value.status, value.statusText);
    if (value instanceof Error) return named("SanitizedError", value.name, value.message, value.stack);
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError("A loader's data is JSON.");
    const entries = Object.entries(value).map(([key, each]) => `"_${placeOf(key)}":${placeOf(each)}`);
    return `{${entries.join(",")}}`;
  };
  const named = (name: string, ...values: unknown[]) => `["${name}",${values.map(placeOf).join(",")}]`;
  placeOf(data);
  return `[${written.join(",")}]`;
}
