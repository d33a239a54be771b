import { expect, test } from "vitest";
import { addMonths, eventDays, EVENT_MESSAGES, eventProblems, monthWeeks } from "#worker/contract/board/event-rules.ts";

const korea = (text: string) => new Date(`${text}+09:00`);
const problems = (start: string, end: string, more: { isAllDay?: boolean; deadline?: Date } = {}) =>
  eventProblems({ isAllDay: false, startDate: korea(start), endDate: korea(end), ...more });

test("an event ends within a year, and all-day events last from midnight to midnight in Korea", () => {
  expect(problems("2026-12-11T09:30", "2026-12-11T17:40")).toEqual({});
  expect(problems("2026-12-11T09:30", "2026-12-11T09:30")).toEqual({});
  expect(problems("2026-12-11T09:30", "2026-12-11T09:29")).toEqual({ endDate: EVENT_MESSAGES.order });
  expect(problems("2026-01-01T00:00", "2027-01-02T00:00", { isAllDay: true })).toEqual({});
  expect(problems("2026-01-01T00:00", "2027-01-03T00:00", { isAllDay: true })).toEqual({
    endDate: EVENT_MESSAGES.tooLong,
  });
  expect(problems("2026-12-11T00:00", "2026-12-11T00:00", { isAllDay: true })).toEqual({
    endDate: EVENT_MESSAGES.order,
  });
  expect(problems("2026-12-11T09:00", "2026-12-12T00:00", { isAllDay: true })).toEqual({
    startDate: EVENT_MESSAGES.allDay,
  });
  expect(problems("1999-12-31T23:59", "2000-01-01T01:00")).toEqual({ startDate: EVENT_MESSAGES.year });
  const deadline = korea("2026-12-11T18:00");
  expect(problems("2026-12-11T09:30", "2026-12-11T17:40", { deadline })).toEqual({ deadline: EVENT_MESSAGES.deadline });
});

test("an event until midnight ends the day before, and dates follow Korean time at a UTC month boundary", () => {
  const days = (start: string, end: string) => eventDays({ startDate: korea(start), endDate: korea(end) });
  expect(days("2026-12-11T00:00", "2026-12-14T00:00")).toEqual({ first: "2026-12-11", last: "2026-12-13" });
  expect(days("2026-11-28T22:00", "2026-11-29T06:00")).toEqual({ first: "2026-11-28", last: "2026-11-29" });
  expect(days("2026-12-01T00:30", "2026-12-01T00:30")).toEqual({ first: "2026-12-01", last: "2026-12-01" });
});

test("a month has weeks from Sunday, also across years and in leap years", () => {
  expect(monthWeeks("2026-12")[0]).toEqual(
    ["2026-11-29", "2026-11-30"].concat([1, 2, 3, 4, 5].map((day) => `2026-12-0${day}`)),
  );
  expect(monthWeeks("2026-12").at(-1)?.at(-1)).toBe("2027-01-02");
  expect(monthWeeks("2026-02")).toHaveLength(4);
  expect(monthWeeks("2028-02").flat()).toContain("2028-02-29");
  expect([addMonths("2026-12", 1), addMonths("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
});
