import { formatDate, formatDateTime, formatLongDate } from "#app/lib/format.ts";

const FORMATS = { date: formatDate, datetime: formatDateTime, long: formatLongDate };

/** A date as people in Korea read it, whatever the reader's own clock says. */
export function Time({ date, format = "date" }: { date: string; format?: keyof typeof FORMATS }) {
  return (
    <time dateTime={date} className="figure">
      {FORMATS[format](date)}
    </time>
  );
}
