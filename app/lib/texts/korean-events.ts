import { formatDateTime } from "#app/lib/format.ts";
import type { EventView } from "#worker/contract/board/view.ts";

const WEEKDAYS = "일월화수목금토";

/** 금 for 2026-12-11. */
const weekdayOf = (day: string) => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";

const shortDay = (day: string) => `${Number(day.slice(5, 7))}.${Number(day.slice(8))}.(${weekdayOf(day)})`;
const dayOfYear = (day: string) => `${Number(day.slice(5, 7))}. ${Number(day.slice(8))}.(${weekdayOf(day)})`;
const fullDay = (day: string) => `${day.slice(0, 4)}. ${dayOfYear(day)}`;

const timeOf = (iso: string) => formatDateTime(iso).slice(11);
/** Midnight as an end time is 24:00 in Korea. */
const endTimeOf = (iso: string) => (timeOf(iso) === "00:00" ? "24:00" : timeOf(iso));

/** 2026. 12. 4.(금) 18:00 */
export const momentText = (iso: string): string =>
  `${fullDay(formatDateTime(iso).slice(0, 10).replaceAll(".", "-"))} ${timeOf(iso)}`;

function hoursText({ isAllDay, firstDay, lastDay, startDate, endDate }: EventView): string {
  if (isAllDay || firstDay !== lastDay) return "";
  return startDate === endDate ? timeOf(startDate) : `${timeOf(startDate)}~${endTimeOf(endDate)}`;
}

function spanText(event: EventView): string {
  const { isAllDay, firstDay, lastDay, startDate, endDate } = event;
  const first = fullDay(firstDay);
  if (firstDay === lastDay) return [first, hoursText(event)].filter(Boolean).join(" ");
  const last = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? dayOfYear(lastDay) : fullDay(lastDay);
  return isAllDay ? `${first}~${last}` : `${first} ${timeOf(startDate)}~${last} ${endTimeOf(endDate)}`;
}

function distanceText({ daysLeft, isOver, isCancelled }: EventView): string {
  if (isCancelled) return "취소";
  if (isOver) return "";
  if (daysLeft === 0) return "오늘";
  return daysLeft > 0 ? `D-${daysLeft}` : "진행 중";
}

export const KOREAN_EVENT_TEXTS = {
  weekdayOf,
  monthOnLeaf: (month: number) => `${month}월`,
  /** 12.11.(금), or 12.11.(금)~12.13.(일) */
  dayText: ({ firstDay, lastDay }: EventView): string =>
    firstDay === lastDay ? shortDay(firstDay) : `${shortDay(firstDay)}~${shortDay(lastDay)}`,
  /** 09:30~17:40; empty for all-day events and events of several days. */
  hoursText,
  /** 2026. 12. 11.(금) 09:30~17:40, or 2026. 11. 28.(토) 22:00~11. 29.(일) 06:00 */
  spanText,
  /** D-19, 오늘 or 진행 중; empty once the event is over. */
  distanceText,
  /** The screen reader text of D-19. */
  daysLeft: (days: number) => `${days}일 남음`,
  event: "일정",
  about: "일정 안내",
  cancelled: "취소된 일정입니다.",
  when: "일시",
  where: "장소",
  deadline: "신청 마감",
  keep: "내 달력에 담기",
};

export type EventTexts = typeof KOREAN_EVENT_TEXTS;
