/** 1,234; avoids `toLocaleString`, whose locale data takes tens of milliseconds to load. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
