import { type EventTexts, KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import type { CalendarEvent } from "#worker/contract/board/view.ts";

/** Formats events in the loader so that the browser needs no code for it. */
export function comingEventTexts(
  { boardCode, itemNo, title, event }: CalendarEvent,
  texts: EventTexts = KOREAN_EVENT_TEXTS,
) {
  return {
    href: boardItemHref(boardCode, itemNo),
    title,
    month: Number(event.firstDay.slice(5, 7)),
    day: Number(event.firstDay.slice(8)),
    weekday: texts.weekdayOf(event.firstDay),
    /** The screen reader text and the `datetime` value. */
    span: texts.spanText(event),
    date: event.isAllDay ? event.firstDay : event.startDate,
    hours: texts.hoursText(event),
    distance: texts.distanceText(event),
    place: event.place,
  };
}
