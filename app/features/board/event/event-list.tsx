import { Link } from "react-router";
import { EventDistance, EventLeaf } from "#app/features/board/event/event-mark.tsx";
import { useEventTexts } from "#app/features/board/event/event-texts.ts";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { cx } from "#app/ui/cx.ts";
import { UserText } from "#app/ui/user-text.tsx";
import type { CalendarEvent } from "#worker/contract/board/view.ts";

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
  const texts = useEventTexts();
  const hrefs = useBoardHrefs();
  return (
    <div className="relative flex items-center gap-4 px-1 py-4 transition-colors hover:bg-gray-5">
      <EventLeaf day={event.firstDay} isOver={event.isOver} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={hrefs.item(boardCode, itemNo)}
            className={cx(
              "font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline",
              event.isCancelled && "line-through",
            )}
          >
            <UserText>{title}</UserText>
          </Link>
          <EventDistance event={event} />
        </p>
        <p className="mt-1 text-sm text-gray-60">
          <time dateTime={event.isAllDay ? event.firstDay : event.startDate} className="tabular">
            {texts.spanText(event)}
          </time>
          {event.place && (
            <span className="before:mx-1.5 before:content-['·']">
              <UserText>{event.place}</UserText>
            </span>
          )}
        </p>
      </div>
    </div>
  );
}
