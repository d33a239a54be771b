import { formatDateTime } from "#app/lib/format.ts";
import { englishMonth } from "#app/lib/texts/english-dates.ts";
import type { EventTexts } from "#app/lib/texts/korean-events.ts";
import type { EventView } from "#worker/contract/board/view.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const weekdayOf = (day: string) => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";

const shortDay = (day: string) =>
  `${weekdayOf(day)} ${Number(day.slice(8))} ${englishMonth(Number(day.slice(5, 7))).slice(0, 3)}`;
const fullDay = (day: string) => `${shortDay(day)} ${day.slice(0, 4)}`;

const timeOf = (iso: string) => formatDateTime(iso).slice(11);
const endTimeOf = (iso: string) => (timeOf(iso) === "00:00" ? "midnight" : timeOf(iso));

function hoursText({ isAllDay, firstDay, lastDay, startDate, endDate }: EventView): string {
  if (isAllDay || firstDay !== lastDay) return "";
  return startDate === endDate ? timeOf(startDate) : `${timeOf(startDate)}–${endTimeOf(endDate)}`;
}

/** Fri 11 Dec 2026, 09:30–17:40 KST */
function spanText(event: EventView): string {
  const { isAllDay, firstDay, lastDay, startDate, endDate } = event;
  const hours = hoursText(event);
  if (firstDay === lastDay) return fullDay(firstDay) + (hours && `, ${hours} KST`);
  const first = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? shortDay(firstDay) : fullDay(firstDay);
  if (isAllDay) return `${first} to ${fullDay(lastDay)}`;
  return `${first}, ${timeOf(startDate)} to ${fullDay(lastDay)}, ${endTimeOf(endDate)} KST`;
}

const daysLeft = (days: number) => (days === 1 ? "tomorrow" : `in ${days} days`);

function distanceText({ daysLeft: days, isOver, isCancelled }: EventView): string {
  if (isCancelled) return "cancelled";
  if (isOver) return "";
  if (days === 0) return "today";
  return days > 0 ? daysLeft(days) : "under way";
}

export const ENGLISH_EVENT_TEXTS: EventTexts = {
  weekdayOf,
  monthOnLeaf: (month) => englishMonth(month).slice(0, 3),
  dayText: ({ firstDay, lastDay }) =>
    firstDay === lastDay ? shortDay(firstDay) : `${shortDay(firstDay)} – ${shortDay(lastDay)}`,
  hoursText,
  spanText,
  distanceText,
  daysLeft,
  event: "Event",
  about: "About the event",
  cancelled: "This event has been cancelled.",
  when: "When",
  where: "Where",
  deadline: "Register by",
  keep: "Add to my calendar",
};
