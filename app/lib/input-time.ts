import { formatDateTime } from "#app/lib/format.ts";

/** "2026-11-21T10:00" in Korean time, regardless of the browser's time zone. */
export function toKoreanInputTime(iso: string | null): string {
  return iso === null ? "" : formatDateTime(iso).replaceAll(".", "-").replace(" ", "T");
}

export const fromKoreanInputTime = (value: string): string | null =>
  value === "" ? null : new Date(`${value}:00+09:00`).toISOString();
