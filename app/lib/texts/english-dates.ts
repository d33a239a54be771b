import { koreanDateParts } from "#app/lib/format.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** @param month 1 to 12 */
export const englishMonth = (month: number): string => MONTHS[month - 1] ?? "";

/** 23 November 2026, in Korean time. */
export function formatEnglishDate(iso: string): string {
  const { year, month, day } = koreanDateParts(iso);
  return `${Number(day)} ${englishMonth(Number(month))} ${year}`;
}

export function formatEnglishDateTime(iso: string): string {
  const { hour, minute } = koreanDateParts(iso);
  return `${formatEnglishDate(iso)}, ${hour}:${minute} KST`;
}

export function formatShortEnglishDate(iso: string): string {
  const { year, month, day } = koreanDateParts(iso);
  return `${Number(day)} ${englishMonth(Number(month)).slice(0, 3)} ${year}`;
}
