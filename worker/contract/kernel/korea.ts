// Korea has kept no summer time since 1988: its clock is nine hours ahead the year round.
const KST_OFFSET_MS = 9 * 3_600_000;

/** The same moment with Korea's clock in its UTC fields, for getUTCHours() and the like. */
export const toKoreanClock = (date: Date) => new Date(date.getTime() + KST_OFFSET_MS);

/** 2026-11-21, the day in Korea. */
export const koreanDay = (date: Date) => toKoreanClock(date).toISOString().slice(0, 10);

/** 20261121, for names of files. */
export const koreanDayStamp = (date: Date) => koreanDay(date).replaceAll("-", "");

/** 2026-11-21 09:05:00 as Korea's clocks show it, in a form that sheets read as a moment. */
export const koreanDateTime = (date: Date) => toKoreanClock(date).toISOString().slice(0, 19).replace("T", " ");

/** 2026년 11월 21일, as a mail says a day. */
export function koreanLongDay(date: Date): string {
  const korean = toKoreanClock(date);
  return `${korean.getUTCFullYear()}년 ${korean.getUTCMonth() + 1}월 ${korean.getUTCDate()}일`;
}

/** The first moment of a day (2026-11-21) in Korea. */
export const startOfKoreanDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - KST_OFFSET_MS);
