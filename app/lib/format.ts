import { koreanDateTime } from "#worker/contract/kernel/korea.ts";

export { formatCount } from "#worker/contract/kernel/wording.ts";

/** Is in Korean time regardless of the reader's time zone. */
export function koreanDateParts(iso: string) {
  const [year = "", month = "", day = "", hour = "", minute = ""] = koreanDateTime(new Date(iso)).split(/[- :]/);
  return { year, month, day, hour, minute };
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
