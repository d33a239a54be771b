import { OTHER_REGION, PROVINCES } from "../kernel/provinces.ts";
import { valuesOf } from "../kernel/labels.ts";

const FIGURE_KINDS = ["cohort", "year", "region", "affiliation", "month"] as const;

export type FigureKind = (typeof FIGURE_KINDS)[number];

export const REACH_LABELS = {
  mail: "메일",
  phone: "전화만 가능",
  bouncedPhone: "이메일 반송(전화 가능)",
  bounced: "이메일 반송(전화 없음)",
  none: "연락처 없음",
} as const;

export type Reach = keyof typeof REACH_LABELS;

export const REACHES = valuesOf(REACH_LABELS);

export const REGION_NAMES = PROVINCES.map(({ regionName }) => regionName);

export interface Figure {
  label: string;
  count: number;
}

export interface CountedFact {
  kind: FigureKind;
  key: string;
  reach: Reach | "";
  count: number;
}

export const FIGURE_LIMITS = { rows: 30, affiliations: 18, months: 24 } as const;

const NO_VALUE = "적지 않음";
const STEPS = [1, 2, 5, 10, 20, 50, 100, 500];

const noReach = (): Record<Reach, number> => ({ mail: 0, phone: 0, bouncedPhone: 0, bounced: 0, none: 0 });

/** The smallest step that yields at most `rows` rows. */
function stepFor(numbers: readonly number[], rows: number): number {
  return STEPS.find((step) => new Set(numbers.map((each) => Math.floor(each / step))).size <= rows) ?? 1000;
}

/** In numeric order, folded into ranges, the empty value last. */
function foldNumbers<T extends { key: string }>(facts: readonly T[], unit: string, from: 0 | 1): [string, T[]][] {
  const numbers = [...new Set(facts.filter(({ key }) => key !== "").map(({ key }) => Number(key)))];
  // 1 to 5, 6 to 10 for cohorts; 2000 to 2004 for years.
  const step = stepFor(
    numbers.map((each) => each - from),
    FIGURE_LIMITS.rows,
  );
  const groups = new Map<number, T[]>();
  for (const fact of facts) {
    const group = fact.key === "" ? Infinity : Math.floor((Number(fact.key) - from) / step);
    groups.set(group, [...(groups.get(group) ?? []), fact]);
  }
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([group, members]) => {
      if (group === Infinity) return [NO_VALUE, members];
      const first = group * step + from;
      return [step === 1 ? `${first}${unit}` : `${first}~${first + step - 1}${unit}`, members];
    });
}

const sumOf = (facts: readonly { count: number }[]) => facts.reduce((sum, { count }) => sum + count, 0);

function sumReach(facts: readonly CountedFact[]): Record<Reach, number> {
  const reach = noReach();
  for (const fact of facts) if (fact.reach !== "") reach[fact.reach] += fact.count;
  return reach;
}

const koreanMonth = (month: string) => `${month.slice(0, 4)}.${month.slice(5)}`;

function monthBefore(month: string): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 2;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
}

/** Entries by month of creation, including months without one; earlier months are folded into one. */
function growth(facts: readonly CountedFact[], thisMonth: string): (Figure & { sum: number })[] {
  const counts = new Map(facts.map(({ key, count }) => [key, count]));
  const first = facts.reduce((least, { key }) => (key < least ? key : least), thisMonth);
  const months: string[] = [];
  for (let month = thisMonth; month >= first && months.length < FIGURE_LIMITS.months; month = monthBefore(month))
    months.unshift(month);
  const shown = new Set(months);
  const before = sumOf(facts.filter(({ key }) => !shown.has(key)));
  let sum = before;
  const rows = months.map((month) => {
    const count = counts.get(month) ?? 0;
    sum += count;
    return { label: koreanMonth(month), count, sum };
  });
  return before === 0 ? rows : [{ label: "그 이전", count: before, sum: before }, ...rows];
}

/** @param affiliations the most frequent ones and the empty one @param thisMonth such as 2026-11 */
export function makeAlumniFigures(
  counted: readonly CountedFact[],
  isUsed: (field: "cohort" | "graduationYear" | "address" | "affiliation") => boolean,
  thisMonth: string,
) {
  const facts = counted.filter(({ count }) => count !== 0);
  const ofKind = (kind: FigureKind) => facts.filter((fact) => fact.kind === kind);
  const cohorts = ofKind("cohort");
  const total = sumOf(cohorts);
  const regions = ofKind("region");
  const regionOrder = [...REGION_NAMES, OTHER_REGION.regionName, ""];
  const affiliations = ofKind("affiliation");
  const named = affiliations
    .filter(({ key }) => key !== "")
    .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, FIGURE_LIMITS.affiliations);
  const unnamed = sumOf(affiliations.filter(({ key }) => key === ""));
  const others = total - sumOf(named) - unnamed;
  const filled = (rows: Figure[]) => rows.filter(({ count }) => count !== 0);
  return {
    total,
    reach: sumReach(cohorts),
    cohorts: isUsed("cohort")
      ? foldNumbers(cohorts, "기", 1).map(([label, members]) => ({
          label,
          count: sumOf(members),
          reach: sumReach(members),
        }))
      : null,
    years: isUsed("graduationYear")
      ? foldNumbers(ofKind("year"), "년", 0).map(([label, members]) => ({ label, count: sumOf(members) }))
      : null,
    regions: isUsed("address")
      ? regions
          .toSorted((a, b) => regionOrder.indexOf(a.key) - regionOrder.indexOf(b.key))
          .map(({ key, count }) => ({ label: key === "" ? "주소 없음" : key, count }))
      : null,
    affiliations: isUsed("affiliation")
      ? filled([
          ...named.map(({ key, count }) => ({ label: key, count })),
          { label: "그 밖의 소속", count: others },
          { label: NO_VALUE, count: unnamed },
        ])
      : null,
    months: growth(ofKind("month"), thisMonth),
  };
}

export type AlumniFigures = ReturnType<typeof makeAlumniFigures>;
export type CohortFigure = NonNullable<AlumniFigures["cohorts"]>[number];

export const shareText = (part: number, whole: number): string =>
  whole === 0 ? "0%" : `${Math.round((part / whole) * 1000) / 10}%`;
