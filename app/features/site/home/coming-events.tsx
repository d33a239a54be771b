import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { EventDistance, EventLeaf } from "#app/features/board/event/event-mark.tsx";
import { eventHoursText } from "#app/features/board/event/event-text.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import type { CalendarEvent } from "#worker/contract/board/view.ts";

/** What comes next, where there is something. */
export function HomeComingEvents({ events }: { events: readonly CalendarEvent[] }) {
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="home-events" className="container-page pt-14 md:pt-20">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id="home-events" className="text-xl">
          다가오는 일정
        </h2>
        <Link
          to="/calendar"
          className="-mr-2 inline-flex min-h-11 items-center gap-0.5 rounded-md px-2 text-sm font-semibold text-gray-70 hover:text-primary-60"
        >
          <span className="sr-only">일정 </span>더보기
          <ChevronRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
      <ul className="grid gap-x-14 md:grid-cols-2">
        {events.map(({ boardCode, itemNo, title, event }) => (
          <li
            key={`${boardCode}-${itemNo}`}
            className="relative flex items-center gap-4 border-b border-gray-20 px-1 py-4 transition-colors hover:bg-gray-5"
          >
            <EventLeaf day={event.firstDay} isOver={event.isOver} />
            <div className="min-w-0">
              <Link
                to={boardItemHref(boardCode, itemNo)}
                className="line-clamp-2 font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:line-clamp-1"
              >
                {title}
              </Link>
              <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-gray-60">
                <EventDistance event={event} />
                <time dateTime={event.isAllDay ? event.firstDay : event.startDate} className="tabular">
                  <span className="sr-only">{event.firstDay} </span>
                  {eventHoursText(event)}
                </time>
                {event.place && <span className="line-clamp-1">{event.place}</span>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
