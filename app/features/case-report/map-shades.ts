import type { LocationCount } from "#worker/contract/case-report/view.ts";

const ON_DARK = "fill-white stroke-primary-80";
/** Ordered from light to dark; names on dark shades have inverted colours. */
const SHADES = [
  { fill: "fill-primary-10", box: "bg-primary-10", text: undefined },
  { fill: "fill-primary-20", box: "bg-primary-20", text: undefined },
  { fill: "fill-primary-30", box: "bg-primary-30", text: undefined },
  { fill: "fill-primary-50", box: "bg-primary-50", text: ON_DARK },
  { fill: "fill-primary-70", box: "bg-primary-70", text: ON_DARK },
] as const;

export interface MapShade {
  fill: string;
  box: string;
  text: string | undefined;
  from: number;
  to: number;
}

/** Splits the regions into classes of about equal size and returns each class's bounds. */
export function makeMapShades(locations: readonly LocationCount[]): MapShade[] {
  const counts = [...new Set(locations.flatMap(({ count }) => (count ? [count] : [])))].toSorted((a, b) => a - b);
  const classes = Math.min(SHADES.length, counts.length);
  return Array.from({ length: classes }, (_none, at) => {
    const first = Math.floor((at * counts.length) / classes);
    const last = Math.floor(((at + 1) * counts.length) / classes) - 1;
    const look = SHADES[Math.round((at * (SHADES.length - 1)) / Math.max(1, classes - 1))] ?? SHADES[0];
    return { ...look, from: counts[first] ?? 0, to: counts[last] ?? 0 };
  });
}

export const findMapShade = (shades: readonly MapShade[], count: number) =>
  shades.find(({ from, to }) => count >= from && count <= to);
