import CalendarPlus from "lucide-react/icons/calendar-plus";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { EventDistance, EventLeaf, useEventTexts } from "./event-mark.tsx";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { KoreanMark } from "#app/features/board/row-marks.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import { cx } from "#app/ui/cx.ts";
import { Empty } from "#app/ui/empty.tsx";
import { addMonths, EVENT_LIMITS, monthWeeks } from "#worker/contract/board/event-rules.ts";
import type { CalendarEvent } from "#worker/contract/board/view.ts";
import { useSection, useSiteFrame } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_CALENDAR_TEXTS } from "#app/lib/texts/korean-calendar.ts";
import type { CalendarPage } from "#worker/domain/board/calendar.server.ts";

function calendarHref(month: string | null, boardCode: string): string {
  const search = new URLSearchParams({ ...(month ? { month } : {}), ...(boardCode ? { board: boardCode } : {}) });
  return `/calendar${search.size > 0 ? `?${search.toString()}` : ""}`;
}

function useCalendar() {
  const texts = useCalendarTexts();
  const { to } = useBoardHrefs();
  return {
    texts,
    monthText: (month: string) => texts.month(Number(month.slice(0, 4)), Number(month.slice(5))),
    hrefOf: (...place: Parameters<typeof calendarHref>) => to(calendarHref(...place)),
  };
}

const CHIP =
  "inline-flex min-h-11 items-center rounded-full border px-4.5 text-sm font-semibold transition-colors md:min-h-10";

export function CalendarBoards({ page: { boards, boardCode, month } }: { page: CalendarPage }) {
  const { texts, hrefOf } = useCalendar();
  if (boards.length < 2) return null;
  return (
    <nav aria-label={texts.boards} className="mb-6">
      <ul className="flex flex-wrap gap-2">
        {[{ boardCode: "", boardName: texts.all }, ...boards].map((each) => (
          <li key={each.boardCode}>
            <Link
              to={hrefOf(month, each.boardCode)}
              aria-current={each.boardCode === boardCode ? "true" : undefined}
              preventScrollReset
              className={cx(
                CHIP,
                each.boardCode === boardCode
                  ? "border-primary-60 bg-primary-60 text-white"
                  : "border-gray-30 text-gray-70 hover:border-primary-60 hover:text-primary-60",
              )}
            >
              <UserText>{each.boardName}</UserText>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const STEP = "inline-flex size-11 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10";

export function MonthLinks({ page: { month, today, boardCode } }: { page: CalendarPage }) {
  const { texts, monthText, hrefOf } = useCalendar();
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  return (
    <nav aria-label={texts.months} className="mb-4 flex items-center gap-1 print:hidden">
      {before >= `${EVENT_LIMITS.yearMin}-01` && (
        <Link to={hrefOf(before, boardCode)} preventScrollReset className={cx(STEP, "-ml-3")}>
          <ChevronLeft aria-hidden="true" className="size-5" />
          <span className="sr-only">{texts.before(monthText(before))}</span>
        </Link>
      )}
      <h2 className="tabular text-xl">{monthText(month)}</h2>
      {after <= `${EVENT_LIMITS.yearMax}-12` && (
        <Link to={hrefOf(after, boardCode)} preventScrollReset className={STEP}>
          <ChevronRight aria-hidden="true" className="size-5" />
          <span className="sr-only">{texts.after(monthText(after))}</span>
        </Link>
      )}
      {month !== today.slice(0, 7) && (
        <ButtonLink to={hrefOf(null, boardCode)} size="sm" preventScrollReset className="ml-2">
          {texts.thisMonth}
        </ButtonLink>
      )}
    </nav>
  );
}

const standsOn = (day: string) => (each: CalendarEvent) => each.event.firstDay <= day && day <= each.event.lastDay;

/** Shows weeks on wide screens and a list on phones. */
export function CalendarMonth({ page }: { page: CalendarPage }) {
  const { month, today, events } = page;
  const { texts, monthText } = useCalendar();
  const { weekdayOf } = useEventTexts();
  const weeks = monthWeeks(month);
  return (
    <>
      <table className="hidden w-full table-fixed border-t-2 border-primary-80 md:table">
        <caption className="sr-only">{texts.eventsOf(monthText(month))}</caption>
        <thead>
          <tr>
            {weeks[0]?.map((day, at) => (
              <th
                key={day}
                scope="col"
                className={cx(
                  "border-b border-gray-20 bg-gray-5 py-2 text-sm font-semibold",
                  at === 0 ? "text-danger-60" : at === 6 ? "text-primary-60" : "text-gray-80",
                )}
              >
                {weekdayOf(day)}
                {texts.weekdayEnd && <span className="sr-only">{texts.weekdayEnd}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  isOther={day.slice(0, 7) !== month}
                  isToday={day === today}
                  events={day.slice(0, 7) === month ? events.filter(standsOn(day)) : []}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="md:hidden">
        {events.length > 0 ? (
          <EventList events={events} label={texts.eventsOf(monthText(month))} />
        ) : (
          <Empty className="border-y border-gray-20">{texts.none}</Empty>
        )}
      </div>
    </>
  );
}

interface DayCellProps {
  day: string;
  isOther: boolean;
  isToday: boolean;
  events: readonly CalendarEvent[];
}

function DayCell({ day, isOther, isToday, events }: DayCellProps) {
  const { texts } = useCalendar();
  const { weekdayOf, distanceText, hoursText } = useEventTexts();
  const hrefs = useBoardHrefs();
  return (
    <td
      className={cx(
        "h-28 border border-gray-20 p-1.5 align-top first:border-l-0 last:border-r-0",
        isOther && "bg-gray-5",
      )}
    >
      <time
        dateTime={day}
        aria-current={isToday ? "date" : undefined}
        className={cx(
          "tabular inline-flex size-7 items-center justify-center rounded-full text-sm",
          isToday
            ? "bg-primary-60 font-bold text-white forced-colors:border"
            : isOther
              ? "text-gray-50"
              : "text-gray-80",
        )}
      >
        {Number(day.slice(8))}
        <span className="sr-only">{texts.dayOf(weekdayOf(day))}</span>
      </time>
      {events.length > 0 && (
        <ul className="mt-1 grid gap-1">
          {events.map(({ boardCode, itemNo, title, event }) => (
            <li key={`${boardCode}-${itemNo}`}>
              <Link
                to={hrefs.item(boardCode, itemNo)}
                className={cx(
                  "block min-h-6 rounded-sm border-l-3 px-1.5 py-0.5 text-xs text-gray-90 hover:underline",
                  event.isCancelled
                    ? "border-danger-50 bg-danger-5 line-through"
                    : event.isOver
                      ? "border-gray-40 bg-gray-10"
                      : "border-primary-60 bg-primary-10",
                )}
              >
                {event.isCancelled && <span className="sr-only">{distanceText(event)} </span>}
                {event.firstDay === day && hoursText(event) && (
                  <span className="tabular mr-1 text-gray-70">{hoursText(event).slice(0, 5)}</span>
                )}
                <UserText>{title}</UserText>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </td>
  );
}

export function ComingEvents({ page: { coming, boards, feeds, boardCode } }: { page: CalendarPage }) {
  const { texts } = useCalendar();
  const { to } = useBoardHrefs();
  const origin = useSiteFrame()?.origin ?? "";
  const followed = boards.filter(
    (board) => feeds.includes(board.boardCode) && (boardCode === "" || board.boardCode === boardCode),
  );
  return (
    <section aria-labelledby="coming-events" className="mt-12 md:mt-16">
      <h2 id="coming-events" className="border-b-2 border-primary-80 pb-2 text-xl">
        {texts.coming}
      </h2>
      {coming.length > 0 ? (
        <EventList events={coming} label={texts.coming} />
      ) : (
        <Empty className="border-b border-gray-20">{texts.noneComing}</Empty>
      )}
      {followed.length > 0 && (
        <div className="mt-8 rounded-lg bg-gray-5 p-5 print:hidden">
          <h3 className="text-base">{texts.subscribe}</h3>
          <p className="mt-1 text-sm text-gray-70">{texts.subscribeHow}</p>
          <ul className="mt-3 grid gap-3">
            {followed.map((board) => {
              const address = origin + to(`/board/${board.boardCode}/calendar.ics`);
              return (
                <li key={board.boardCode} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <a href={address.replace(/^https?/u, "webcal")} className="button button-sm button-secondary">
                    <CalendarPlus aria-hidden="true" className="size-4.5" />
                    <UserText>{texts.feedOf(board.boardName)}</UserText>
                  </a>
                  <a href={address} className="min-w-0 text-sm break-all text-gray-70 underline underline-offset-4">
                    {address}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </section>
  );
}

export const useCalendarTexts = () => useSection("calendar", KOREAN_CALENDAR_TEXTS);

export const calendarTextsOf = (matches: Matches) => sectionOf(matches, "calendar", KOREAN_CALENDAR_TEXTS);

function EventList({ events, label }: { events: readonly CalendarEvent[]; label: string }) {
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
          <KoreanMark text={title} />
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
