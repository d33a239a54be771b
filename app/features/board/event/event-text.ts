import { formatDateTime } from "#app/lib/format.ts";
import type { EventView } from "#worker/contract/board/view.ts";

const WEEKDAYS = "일월화수목금토";

/** 금, of 2026-12-11. */
export const weekdayOf = (day: string) => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";

const shortDay = (day: string) => `${Number(day.slice(5, 7))}.${Number(day.slice(8))}.(${weekdayOf(day)})`;
const fullDay = (day: string) =>
  `${day.slice(0, 4)}. ${Number(day.slice(5, 7))}. ${Number(day.slice(8))}.(${weekdayOf(day)})`;

const timeOf = (iso: string) => formatDateTime(iso).slice(11);
/** As somebody in Korea says the end of a day. */
const endTimeOf = (iso: string) => (timeOf(iso) === "00:00" ? "24:00" : timeOf(iso));

/** 12. 11.(금), or 12.11.(금)~12.13.(일): for a line of a list. */
export function eventDayText({ firstDay, lastDay }: EventView): string {
  return firstDay === lastDay ? shortDay(firstDay) : `${shortDay(firstDay)}~${shortDay(lastDay)}`;
}

/** 09:30~17:40, or nothing for one that takes whole days or more than one. */
export function eventHoursText({ isAllDay, firstDay, lastDay, startDate, endDate }: EventView): string {
  if (isAllDay || firstDay !== lastDay) return "";
  return startDate === endDate ? timeOf(startDate) : `${timeOf(startDate)}~${endTimeOf(endDate)}`;
}

/** 2026. 12. 11.(금) 09:30~17:40 */
export function eventSpanText(event: EventView): string {
  const { isAllDay, firstDay, lastDay, startDate, endDate } = event;
  const first = fullDay(firstDay);
  if (firstDay === lastDay) return [first, eventHoursText(event)].filter(Boolean).join(" ");
  const last = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? shortDay(lastDay) : fullDay(lastDay);
  return isAllDay ? `${first}~${last}` : `${first} ${timeOf(startDate)}~${last} ${endTimeOf(endDate)}`;
}

/** How far off: D-19, 오늘, 진행 중; nothing once it is over. */
export function eventDistanceText({ daysLeft, isOver, isCancelled }: EventView): string {
  if (isCancelled) return "취소";
  if (isOver) return "";
  if (daysLeft === 0) return "오늘";
  return daysLeft > 0 ? `D-${daysLeft}` : "진행 중";
}
