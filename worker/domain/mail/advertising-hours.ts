import { toKoreanClock } from "#worker/contract/kernel/korea.ts";

const HOUR_MS = 3_600_000;
const EVENING = 21;
const MORNING = 8;

const koreanHour = (date: Date) => toKoreanClock(date).getUTCHours();

/** Advertising between 21:00 and 08:00 in Korea needs its own consent (망법 제50조). */
export function isNightInKorea(date: Date): boolean {
  return koreanHour(date) >= EVENING || koreanHour(date) < MORNING;
}

export function nextDaytime(date: Date): Date {
  if (!isNightInKorea(date)) return date;
  const hours = (MORNING - koreanHour(date) + 24) % 24;
  const onTheHour = Math.floor(date.getTime() / HOUR_MS) * HOUR_MS;
  return new Date(onTheHour + hours * HOUR_MS);
}
