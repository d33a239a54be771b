import { useTexts } from "#app/lib/page-language.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";

/** A date as people in Korea read it, whatever the reader's own clock says. */
export function Time({ date, format = "date" }: { date: string; format?: keyof SiteTexts["date"] }) {
  const formats = useTexts().date;
  return (
    <time dateTime={date} className="figure">
      {formats[format](date)}
    </time>
  );
}
