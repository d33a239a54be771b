export { formatCount } from "#worker/contract/kernel/wording.ts";

// Formats from parts because locale data differs between server and browser.
const KST = new Intl.DateTimeFormat("en-US", {
  timeZone: "Asia/Seoul",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Is in Korean time regardless of the reader's time zone. */
export function koreanDateParts(iso: string): {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
} {
  const parts = { year: "", month: "", day: "", hour: "", minute: "" };
  for (const { type, value } of KST.formatToParts(new Date(iso))) {
    if (type in parts) parts[type as keyof typeof parts] = value;
  }
  return parts;
}

/** 2026.11.21 */
export function formatDate(iso: string): string {
  const { year, month, day } = koreanDateParts(iso);
  return `${year}.${month}.${day}`;
}

/** 2026.11.21 09:05 */
export function formatDateTime(iso: string): string {
  const { year, month, day, hour, minute } = koreanDateParts(iso);
  return `${year}.${month}.${day} ${hour}:${minute}`;
}

/** 2026. 11. 21. */
export function formatLongDate(iso: string): string {
  const { year, month, day } = koreanDateParts(iso);
  return `${year}. ${Number(month)}. ${Number(day)}.`;
}

/** Returns the last day of a period that ends at midnight. */
export const lastDayOf = (endDate: string) => new Date(new Date(endDate).getTime() - 1).toISOString();

/** Is separate from text-links.ts, which the page's frame does not need. */
export const telephoneHref = (number: string) => `tel:${number.replace(/[^\d+]/g, "")}`;
