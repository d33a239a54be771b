import { koreanDay, startOfKoreanDay, toKoreanClock } from "../kernel/korea.ts";
import { DAY_MS } from "../kernel/limits.ts";

export const EVENT_LIMITS = {
  place: 200,
  /** The maximum length of an event, and how far back lists look. */
  daysMax: 366,
  onHome: 4,
  coming: 20,
  inMonth: 500,
  inFeed: 500,
  yearMin: 2000,
  yearMax: 2099,
} as const;

export const EVENT_MESSAGES = {
  order: "끝나는 때가 시작하는 때보다 빠릅니다.",
  tooLong: `일정은 ${EVENT_LIMITS.daysMax}일까지 등록할 수 있습니다.`,
  year: `${EVENT_LIMITS.yearMin}년부터 ${EVENT_LIMITS.yearMax}년까지의 날짜를 입력해 주십시오.`,
  deadline: "신청 마감이 일정이 끝난 뒤입니다.",
  allDay: "하루 종일인 일정은 날짜만 입력해 주십시오.",
  unused: "이 게시판에서는 일정을 쓸 수 없습니다.",
} as const;

interface EventTimes {
  isAllDay: boolean;
  startDate: Date;
  /** Exclusive. */
  endDate: Date;
  deadline?: Date | null | undefined;
}

const isKoreanMidnight = (date: Date) => startOfKoreanDay(koreanDay(date)).getTime() === date.getTime();
const yearOf = (date: Date) => toKoreanClock(date).getUTCFullYear();

export function eventProblems({ isAllDay, startDate, endDate, deadline }: EventTimes): Record<string, string> {
  const years = [startDate, endDate, deadline ?? startDate].map(yearOf);
  if (years.some((year) => year < EVENT_LIMITS.yearMin || year > EVENT_LIMITS.yearMax))
    return { startDate: EVENT_MESSAGES.year };
  if (isAllDay && !(isKoreanMidnight(startDate) && isKoreanMidnight(endDate)))
    return { startDate: EVENT_MESSAGES.allDay };
  if (endDate < startDate || (isAllDay && endDate <= startDate)) return { endDate: EVENT_MESSAGES.order };
  if (endDate.getTime() - startDate.getTime() > EVENT_LIMITS.daysMax * DAY_MS)
    return { endDate: EVENT_MESSAGES.tooLong };
  if (deadline && deadline > endDate) return { deadline: EVENT_MESSAGES.deadline };
  return {};
}

/** An event that ends at midnight does not include the next day. */
export function eventDays({ startDate, endDate }: Pick<EventTimes, "startDate" | "endDate">): {
  first: string;
  last: string;
} {
  const last = new Date(Math.max(startDate.getTime(), endDate.getTime() - 1));
  return { first: koreanDay(startDate), last: koreanDay(last) };
}

export const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

/** The weeks of a month (2026-12), Sunday to Saturday, as days. */
export function monthWeeks(month: string): string[][] {
  const first = `${month}-01`;
  const start = addDays(first, -new Date(`${first}T00:00:00Z`).getUTCDay());
  const weeks: string[][] = [];
  for (let day = start; day.slice(0, 7) <= month; day = addDays(day, 7))
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((at) => addDays(day, at)));
  return weeks;
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
