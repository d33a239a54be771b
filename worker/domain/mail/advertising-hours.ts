import { toKoreanClock } from "#worker/contract/kernel/korea.ts";

const HOUR_MS = 3_600_000;
const EVENING = 21;
const MORNING = 8;

const koreanHour = (date: Date) => toKoreanClock(date).getUTCHours();

/** From 21 to 8 o'clock in Korea nobody is sent advertising without a consent of its own (망법 제50조). */
export function isNightInKorea(date: Date): boolean {
  return koreanHour(date) >= EVENING || koreanHour(date) < MORNING;
}

/** The moment itself by day, else the next eight o'clock in Korea. */
export function nextDaytime(date: Date): Date {
  if (!isNightInKorea(date)) return date;
  const hours = (MORNING - koreanHour(date) + 24) % 24;
  const onTheHour = Math.floor(date.getTime() / HOUR_MS) * HOUR_MS;
  return new Date(onTheHour + hours * HOUR_MS);
}
