import { expect, test } from "vitest";
import { daysLater, endOfKoreanDay, monthsLater, oldestWithin } from "#worker/contract/kernel/day-ends.ts";

const iso = (date: Date) => date.toISOString();
const at = (moment: string) => new Date(moment);

test.each([
  ["2026-11-28T00:00:00+09:00", "2026-11-28T14:59:59.999Z"],
  ["2026-11-28T23:59:59.999+09:00", "2026-11-28T14:59:59.999Z"],
  ["2026-11-28T15:00:00Z", "2026-11-29T14:59:59.999Z"],
])("the day of %s in Korea ends at %s", (moment, end) => {
  expect(iso(endOfKoreanDay(at(moment)))).toBe(end);
});

test.each([
  ["2026-11-28T12:30:00+09:00", 3, "2027-02-28T14:59:59.999Z"],
  ["2026-11-30T23:59:00+09:00", 3, "2027-02-28T14:59:59.999Z"],
  ["2026-12-31T00:10:00+09:00", 2, "2027-02-28T14:59:59.999Z"],
  ["2023-11-30T09:00:00+09:00", 3, "2024-02-29T14:59:59.999Z"],
])("from %s, %d months end at %s", (moment, months, end) => {
  expect(iso(monthsLater(at(moment), months))).toBe(end);
});

test("a period that ends later is found by its oldest beginning", () => {
  const begun = at("2026-11-01T10:00:00+09:00");
  const end = daysLater(begun, 30);
  expect(iso(end)).toBe("2026-12-01T14:59:59.999Z");
  expect(begun > oldestWithin(end, 30)).toBe(true);
  expect(begun > oldestWithin(new Date(end.getTime() + 1), 30)).toBe(false);
});
