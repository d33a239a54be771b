import { Link } from "react-router";
import { EventDistance, EventLeaf } from "#app/features/board/event/event-mark.tsx";
import { eventSpanText } from "#app/features/board/event/event-text.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import { cx } from "#app/ui/cx.ts";
import type { CalendarEvent } from "#worker/contract/board/view.ts";

/** Events below each other, each with its day as on a leaf of a calendar. */
export function EventList({ events, label }: { events: readonly CalendarEvent[]; label: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-gray-20 border-b border-gray-20">
      {events.map((each) => (
        <li key={`${each.boardCode}-${each.itemNo}`}>
          <EventEntry entry={each} />
        </li>
      ))}
    </ul>
  );
}

function EventEntry({ entry: { boardCode, itemNo, title, event } }: { entry: CalendarEvent }) {
  return (
    <div className="relative flex items-center gap-4 px-1 py-4 transition-colors hover:bg-gray-5">
      <EventLeaf day={event.firstDay} isOver={event.isOver} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={boardItemHref(boardCode, itemNo)}
            className={cx(
              "font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline",
              event.isCancelled && "line-through",
            )}
          >
            {title}
          </Link>
          <EventDistance event={event} />
        </p>
        <p className="mt-1 text-sm text-gray-60">
          <time dateTime={event.isAllDay ? event.firstDay : event.startDate} className="tabular">
            {eventSpanText(event)}
          </time>
          {event.place && <span className="before:mx-1.5 before:content-['·']">{event.place}</span>}
        </p>
      </div>
    </div>
  );
}
