import { useTexts } from "#app/lib/page-language.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";

/** Formats in Korean time, whatever the reader's time zone. */
export function Time({ date, format = "date" }: { date: string; format?: keyof SiteTexts["date"] }) {
  const formats = useTexts().date;
  return (
    <time dateTime={date} className="figure">
      {formats[format](date)}
    </time>
  );
}
