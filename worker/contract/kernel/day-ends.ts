import { koreanDay, toKoreanClock } from "./korea.ts";
import { DAY_MS } from "./limits.ts";

const startOf = (date: Date) => Date.parse(`${koreanDay(date)}T00:00:00+09:00`);

/** The last millisecond of the moment's day in Korea: each end that people read as a day. */
export const endOfKoreanDay = (date: Date) => new Date(startOf(date) + DAY_MS - 1);

/** The end of the day some days later. */
export const daysLater = (date: Date, days: number) => endOfKoreanDay(new Date(date.getTime() + days * DAY_MS));

/** The first moment of the moment's day in Korea. */
export const firstOfKoreanDay = (date: Date) => new Date(startOf(date));

/** Everything dated after this ends no earlier than now, `days` later. */
export const oldestWithin = (now: Date, days: number) => new Date(startOf(now) - days * DAY_MS - 1);

/** The end of the same day some months later, or of the last day of a shorter month. */
export function monthsLater(date: Date, months: number): Date {
  const clock = toKoreanClock(date);
  const day = clock.getUTCDate();
  clock.setUTCMonth(clock.getUTCMonth() + months);
  if (clock.getUTCDate() !== day) clock.setUTCDate(0);
  return endOfKoreanDay(new Date(`${clock.toISOString().slice(0, 10)}T12:00:00+09:00`));
}
