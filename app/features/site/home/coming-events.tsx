import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import type { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";

/** What comes next, where there is something. */
export function HomeComingEvents({ events }: { events: readonly ReturnType<typeof comingEventTexts>[] }) {
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
        {events.map(({ href, title, month, day, weekday, span, date, hours, distance, place }) => (
          <li
            key={href}
            className="relative flex items-center gap-4 border-b border-gray-20 px-1 py-4 transition-colors hover:bg-gray-5"
          >
            <span
              aria-hidden="true"
              className="tabular w-14 shrink-0 overflow-hidden rounded-md border border-primary-30 text-center text-xs text-primary-80"
            >
              <span className="block bg-primary-10 py-0.5 font-semibold">{month}월</span>
              <span className="block pt-0.5 text-xl/tight font-extrabold">{day}</span>
              <span className="block pb-1 text-gray-60">{weekday}</span>
            </span>
            <div className="min-w-0">
              <Link
                to={href}
                className="line-clamp-2 font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:line-clamp-1"
              >
                {title}
              </Link>
              <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-gray-60">
                <strong className="tabular font-semibold text-accent-60">{distance}</strong>
                <time dateTime={date} className="tabular">
                  <span className="sr-only">{span}</span>
                  <span aria-hidden="true">{hours}</span>
                </time>
                {place && <span className="line-clamp-1">{place}</span>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
