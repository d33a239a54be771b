import { expect, test } from "vitest";
import { type CountedFact, FIGURE_LIMITS, makeAlumniFigures, shareText } from "#worker/contract/alumni/figures.ts";

const fact = (kind: CountedFact["kind"], key: string, count: number): CountedFact => ({
  kind,
  key,
  reach: kind === "cohort" ? "mail" : "",
  count,
});
const figuresOf = (facts: CountedFact[], month = "2026-11") => makeAlumniFigures(facts, () => true, month);

test("too many cohorts for a page are grouped in ranges, and none is lost", () => {
  const cohorts = Array.from({ length: 61 }, (_, at) => fact("cohort", String(at + 1), at + 1));
  const shown = figuresOf([...cohorts, fact("cohort", "", 7)]).cohorts ?? [];
  expect(shown.slice(0, 2).map(({ label, count }) => [label, count])).toEqual([
    ["1~5기", 15],
    ["6~10기", 40],
  ]);
  expect([shown.at(-2)?.label, shown.at(-1)?.label, shown.at(-1)?.count]).toEqual(["61~65기", "적지 않음", 7]);
  expect(shown.length).toBeLessThanOrEqual(FIGURE_LIMITS.rows + 1);
  expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe((61 * 62) / 2 + 7);
});

test("few cohorts are listed one by one in numeric order; year ranges begin at tens", () => {
  const { cohorts } = figuresOf([fact("cohort", "10", 1), fact("cohort", "9", 2)]);
  expect(cohorts?.map(({ label }) => label)).toEqual(["9기", "10기"]);
  const years = Array.from({ length: 60 }, (_, at) => fact("year", String(1961 + at), 1));
  expect(figuresOf([fact("cohort", "", 60), ...years]).years?.[0]).toEqual({ label: "1960~1964년", count: 4 });
});

test("growth lists every month up to the current one, and earlier ones in a single row", () => {
  const { months } = figuresOf([fact("month", "2026-09", 3), fact("month", "2026-11", 2)]);
  expect(months).toEqual([
    { label: "2026.09", count: 3, sum: 3 },
    { label: "2026.10", count: 0, sum: 3 },
    { label: "2026.11", count: 2, sum: 5 },
  ]);
  const long = figuresOf([fact("month", "2020-01", 4), fact("month", "2026-01", 1)], "2026-01").months;
  expect([long.length, long[0], long[1]?.label]).toEqual([
    FIGURE_LIMITS.months + 1,
    { label: "그 이전", count: 4, sum: 4 },
    "2024.02",
  ]);
  expect(long.at(-1)).toEqual({ label: "2026.01", count: 1, sum: 5 });
});

test("the most frequent affiliations have their own rows, the others share one", () => {
  const { affiliations } = figuresOf([
    fact("cohort", "", 10),
    fact("affiliation", "가람의원", 2),
    fact("affiliation", "한빛병원", 3),
    fact("affiliation", "", 1),
  ]);
  expect(affiliations).toEqual([
    { label: "한빛병원", count: 3 },
    { label: "가람의원", count: 2 },
    { label: "그 밖의 소속", count: 4 },
    { label: "적지 않음", count: 1 },
  ]);
});

test("a share has one decimal", () => {
  expect([shareText(1, 3), shareText(0, 0), shareText(2, 2)]).toEqual(["33.3%", "0%", "100%"]);
});
