// Korea has had no summer time since 1988: UTC+9 all year.
const KST_OFFSET_MS = 9 * 3_600_000;

/** Shifts the date so that getUTCHours() and similar return Korean time. */
export const toKoreanClock = (date: Date) => new Date(date.getTime() + KST_OFFSET_MS);

/** 2026-11-21, the day in Korea. */
export const koreanDay = (date: Date) => toKoreanClock(date).toISOString().slice(0, 10);

/** 20261121, for names of files. */
export const koreanDayStamp = (date: Date) => koreanDay(date).replaceAll("-", "");

/** The time of day, as 09:30. */
export const koreanClock = (date: Date) => koreanDateTime(date).slice(11, 16);

/** 2026-11-21 09:05:00 in Korea, a format that spreadsheets parse as a date. */
export const koreanDateTime = (date: Date) => toKoreanClock(date).toISOString().slice(0, 19).replace("T", " ");

export function koreanLongDay(date: Date): string {
  const korean = toKoreanClock(date);
  return `${korean.getUTCFullYear()}년 ${korean.getUTCMonth() + 1}월 ${korean.getUTCDate()}일`;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** For letters, whose reader decides the language. */
export function longDayTexts(date: Date) {
  const korean = toKoreanClock(date);
  const en = `${korean.getUTCDate()} ${MONTHS[korean.getUTCMonth()]} ${korean.getUTCFullYear()}`;
  return { ko: koreanLongDay(date), en };
}

export const startOfKoreanDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - KST_OFFSET_MS);
