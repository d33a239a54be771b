// Korea has had no summer time since 1988: UTC+9 all year.
const KST_OFFSET_MS = 9 * 3_600_000;

/** Shifts the date so that getUTCHours() and similar return Korean time. */
export const toKoreanClock = (date: Date) => new Date(date.getTime() + KST_OFFSET_MS);

/** 2026-11-21, the day in Korea. */
export const koreanDay = (date: Date) => toKoreanClock(date).toISOString().slice(0, 10);

/** 20261121, for names of files. */
export const koreanDayStamp = (date: Date) => koreanDay(date).replaceAll("-", "");

/** 2026-11-21 09:05:00 in Korea, a format that spreadsheets parse as a date. */
export const koreanDateTime = (date: Date) => toKoreanClock(date).toISOString().slice(0, 19).replace("T", " ");

export function koreanLongDay(date: Date): string {
  const korean = toKoreanClock(date);
  return `${korean.getUTCFullYear()}년 ${korean.getUTCMonth() + 1}월 ${korean.getUTCDate()}일`;
}

const DAY_LENGTH_MS = 86_400_000;

/** The last millisecond of the moment's day in Korea: each end that people read as a day. */
export const endOfKoreanDay = (date: Date) => new Date(startOfKoreanDay(koreanDay(date)).getTime() + DAY_LENGTH_MS - 1);

/** The end of the day some days later. */
export const daysLater = (date: Date, days: number) => endOfKoreanDay(new Date(date.getTime() + days * DAY_LENGTH_MS));

/** The first moment of the moment's day in Korea. */
export const firstOfKoreanDay = (date: Date) => startOfKoreanDay(koreanDay(date));

/** Everything dated after this ends no earlier than now, `days` later. */
export const oldestWithin = (now: Date, days: number) =>
  new Date(firstOfKoreanDay(now).getTime() - days * DAY_LENGTH_MS - 1);

/** The end of the same day some months later, or of the last day of a shorter month. */
export function monthsLater(date: Date, months: number): Date {
  const clock = toKoreanClock(date);
  const day = clock.getUTCDate();
  clock.setUTCMonth(clock.getUTCMonth() + months);
  if (clock.getUTCDate() !== day) clock.setUTCDate(0);
  return endOfKoreanDay(new Date(clock.getTime() - KST_OFFSET_MS));
}

export const startOfKoreanDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - KST_OFFSET_MS);
