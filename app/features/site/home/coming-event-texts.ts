import { eventDistanceText, eventHoursText, eventSpanText, weekdayOf } from "#app/features/board/event/event-text.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import type { CalendarEvent } from "#worker/contract/board/view.ts";

/** An event in the words of the home page, made where it is loaded: the browser needs no code for them. */
export function comingEventTexts({ boardCode, itemNo, title, event }: CalendarEvent) {
  return {
    href: boardItemHref(boardCode, itemNo),
    title,
    month: Number(event.firstDay.slice(5, 7)),
    day: Number(event.firstDay.slice(8)),
    weekday: weekdayOf(event.firstDay),
    /** Read aloud, and the value of the time. */
    span: eventSpanText(event),
    date: event.isAllDay ? event.firstDay : event.startDate,
    hours: eventHoursText(event),
    distance: eventDistanceText(event),
    place: event.place,
  };
}
