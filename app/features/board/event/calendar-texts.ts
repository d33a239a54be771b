import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_CALENDAR_TEXTS } from "#app/lib/texts/korean-calendar.ts";

export const useCalendarTexts = () => useSection("calendar", KOREAN_CALENDAR_TEXTS);

export const calendarTextsOf = (matches: Matches) => sectionOf(matches, "calendar", KOREAN_CALENDAR_TEXTS);
