import { expect, test } from "vitest";
import { eventView } from "#worker/domain/board/row.server.ts";

const stateAt = (now: string, hours: { start: string; end: string; isAllDay?: boolean }) =>
  eventView(
    { useEvents: true },
    {
      eventStart: new Date(hours.start),
      eventEnd: new Date(hours.end),
      isEventAllDay: hours.isAllDay ?? false,
      eventPlace: "",
      eventDeadline: null,
      isEventCancelled: false,
    },
    new Date(now),
  )?.isOver;

test("an event that ended at 06:00 is over at 06:01", () => {
  const night = { start: "2026-11-28T22:00:00+09:00", end: "2026-11-29T06:00:00+09:00" };
  expect(stateAt("2026-11-29T05:59:00+09:00", night)).toBe(false);
  expect(stateAt("2026-11-29T06:00:00+09:00", night)).toBe(true);
  expect(stateAt("2026-11-29T06:01:00+09:00", night)).toBe(true);
});

test("an event without an end of its own lasts until midnight", () => {
  const start = "2026-12-11T09:30:00+09:00";
  expect(stateAt("2026-12-11T23:59:00+09:00", { start, end: start })).toBe(false);
  expect(stateAt("2026-12-12T00:00:00+09:00", { start, end: start })).toBe(true);
});

test("an event of whole days lasts until its last day ends", () => {
  const days = { start: "2026-12-11T00:00:00+09:00", end: "2026-12-12T00:00:00+09:00", isAllDay: true };
  expect(stateAt("2026-12-11T23:59:00+09:00", days)).toBe(false);
  expect(stateAt("2026-12-12T00:00:00+09:00", days)).toBe(true);
});
