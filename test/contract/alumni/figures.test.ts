import { expect, test, vi } from "vitest";
import { type CountedFact, FIGURE_LIMITS, makeAlumniFigures, shareText } from "#worker/contract/alumni/figures.ts";
import { type OwnField, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import { guessOwnField } from "#worker/contract/alumni/own-values.ts";
import { progressOf } from "#app/features/alumni/import/progress.tsx";

const fact = (kind: CountedFact["kind"], key: string, count: number): CountedFact => ({
  kind,
  key,
  reach: kind === "cohort" ? "mail" : "",
  count,
});
const figuresOf = (facts: CountedFact[], month = "2026-11") => makeAlumniFigures(facts, () => true, month);

test("too many cohorts for a page are grouped in ranges", () => {
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

test("few cohorts are listed one by one in order", () => {
  const { cohorts } = figuresOf([fact("cohort", "10", 1), fact("cohort", "9", 2)]);
  expect(cohorts?.map(({ label }) => label)).toEqual(["9기", "10기"]);
  const years = Array.from({ length: 60 }, (_, at) => fact("year", String(1961 + at), 1));
  expect(figuresOf([fact("cohort", "", 60), ...years]).years?.[0]).toEqual({ label: "1960~1964년", count: 4 });
});

test("growth lists every month up to the current one", () => {
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

const times = (values: string[], count: number) => Array.from({ length: count }, () => values).flat();

test.each<[string, string[], string, string[]]>([
  ["days", ["1970.2.5", "", "19710306"], "date", []],
  ["one day that reads two ways", ["1970.2.5", "02/03/1971"], "text", []],
  ["amounts", ["30,000", "5000"], "number", []],
  ["numbers that begin with zero", ["00123", "00456"], "text", []],
  ["years", ["2004", "2005"], "number", []],
  ["telephone numbers", ["02-740-1234", "031)123-4567"], "phone", []],
  ["addresses of mail", ["a@pid.example.kr"], "email", []],
  ["marks", ["O", "X", "O"], "yesNo", []],
  ["ones and zeros, which may be amounts", ["1", "0", "1"], "number", []],
  ["few words again and again", times(["정회원", "준회원"], 4), "choice", ["정회원", "준회원"]],
  ["few words, each once", ["정회원", "준회원"], "text", []],
  ["sentences", times(["가, 나", "다"], 5), "text", []],
  ["nothing", ["", " "], "text", []],
])("%s get the kind that fits all values", (_, values, kind, choices) => {
  expect(guessOwnField(values)).toEqual({ kind, choices });
});

test("a header equal to an own field name maps to it", () => {
  const field = {
    kind: "text" as const,
    choices: [],
    required: false,
    access: "office" as const,
    personEdits: false,
    inList: false,
  };
  const own: OwnField[] = [
    { ...field, code: "own1", name: "사무실 번호" },
    { ...field, code: "own2", name: "생년월일" },
  ];
  expect(
    withOwnColumns(
      ["이름", "전화", "사무실번호", "생년 월일", "생년월일"],
      ["name", "phone", "phone", null, null],
      own,
    ),
  ).toEqual(["name", "phone", "own1", "own2", null]);
});

test("the remaining time is shown after two seconds of progress", () => {
  vi.useFakeTimers({ now: 0, toFake: ["performance"] });
  let passedMs = 0;
  const tell = progressOf("되돌리고 있습니다");
  const toldAfter = (ms: number, percent: number) => {
    vi.advanceTimersByTime(ms - passedMs);
    passedMs = ms;
    return tell(percent).left;
  };
  expect(toldAfter(1_000, 10)).toBeUndefined();
  expect(toldAfter(5_000, 0)).toBeUndefined();
  expect(toldAfter(5_000, 25)).toBe(15);
  expect(toldAfter(20_000, 99.9)).toBe(1);
  expect(toldAfter(20_000, 100)).toBeUndefined();
});
