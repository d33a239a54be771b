import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { useTexts } from "#app/lib/page-language.ts";
import { UserText } from "#app/ui/user-text.tsx";
import type { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";

export function HomeComingEvents({ events }: { events: readonly ReturnType<typeof comingEventTexts>[] }) {
  const { home, pathOf } = useTexts();
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="home-events" className="container-page pt-14 md:pt-20">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id="home-events" className="text-xl">
          {home.events}
        </h2>
        <Link to={pathOf("", "/calendar")} className="more-link">
          <span className="sr-only">{home.moreOf(home.eventsName)}</span>
          {home.more}
          <ChevronRight aria-hidden="true" />
        </Link>
      </div>
      <ul className="event-rows">
        {events.map(({ href, title, month, day, weekday, span, date, hours, distance, place }) => (
          <li key={href}>
            <span aria-hidden="true" className="event-day">
              <span>{home.monthOnLeaf(month)}</span>
              <span>{day}</span>
              <span>{weekday}</span>
            </span>
            <div>
              <Link to={pathOf("", href)}>
                <UserText>{title}</UserText>
              </Link>
              <p>
                <strong>{distance}</strong>
                <time dateTime={date}>
                  <span className="sr-only">{span}</span>
                  <span aria-hidden="true">{hours}</span>
                </time>
                {place && (
                  <span className="line-clamp-1">
                    <UserText>{place}</UserText>
                  </span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
