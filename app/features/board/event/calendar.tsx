import CalendarPlus from "lucide-react/icons/calendar-plus";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { EventList } from "#app/features/board/event/event-list.tsx";
import { eventDistanceText, eventHoursText, weekdayOf } from "#app/features/board/event/event-text.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Empty } from "#app/ui/empty.tsx";
import { addMonths, EVENT_LIMITS, monthWeeks } from "#worker/contract/board/event-rules.ts";
import type { CalendarEvent, CalendarPage } from "#worker/contract/board/view.ts";

function calendarHref(month: string | null, boardCode: string): string {
  const search = new URLSearchParams({ ...(month ? { month } : {}), ...(boardCode ? { board: boardCode } : {}) });
  return `/calendar${search.size > 0 ? `?${search.toString()}` : ""}`;
}

const monthText = (month: string) => `${month.slice(0, 4)}년 ${Number(month.slice(5))}월`;
const CHIP =
  "inline-flex min-h-11 items-center rounded-full border px-4.5 text-sm font-semibold transition-colors md:min-h-10";

/** Whose events are shown, where there is a choice. */
export function CalendarBoards({ page: { boards, boardCode, month } }: { page: CalendarPage }) {
  if (boards.length < 2) return null;
  return (
    <nav aria-label="게시판" className="mb-6">
      <ul className="flex flex-wrap gap-2">
        {[{ boardCode: "", boardName: "전체" }, ...boards].map((each) => (
          <li key={each.boardCode}>
            <Link
              to={calendarHref(month, each.boardCode)}
              aria-current={each.boardCode === boardCode ? "true" : undefined}
              preventScrollReset
              className={cx(
                CHIP,
                each.boardCode === boardCode
                  ? "border-primary-60 bg-primary-60 text-white"
                  : "border-gray-30 text-gray-70 hover:border-primary-60 hover:text-primary-60",
              )}
            >
              {each.boardName}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const STEP = "inline-flex size-11 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10";

/** The month, and the ways to others. */
export function MonthLinks({ page: { month, today, boardCode } }: { page: CalendarPage }) {
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  return (
    <nav aria-label="달 이동" className="mb-4 flex items-center gap-1 print:hidden">
      {before >= `${EVENT_LIMITS.yearMin}-01` && (
        <Link to={calendarHref(before, boardCode)} preventScrollReset className={cx(STEP, "-ml-3")}>
          <ChevronLeft aria-hidden="true" className="size-5" />
          <span className="sr-only">이전 달, {monthText(before)}</span>
        </Link>
      )}
      <h2 className="tabular text-xl">{monthText(month)}</h2>
      {after <= `${EVENT_LIMITS.yearMax}-12` && (
        <Link to={calendarHref(after, boardCode)} preventScrollReset className={STEP}>
          <ChevronRight aria-hidden="true" className="size-5" />
          <span className="sr-only">다음 달, {monthText(after)}</span>
        </Link>
      )}
      {month !== today.slice(0, 7) && (
        <ButtonLink to={calendarHref(null, boardCode)} size="sm" preventScrollReset className="ml-2">
          이번 달
        </ButtonLink>
      )}
    </nav>
  );
}

const standsOn = (day: string) => (each: CalendarEvent) => each.event.firstDay <= day && day <= each.event.lastDay;

/** A month as weeks where there is room, as a list of its events on a phone. */
export function CalendarMonth({ page }: { page: CalendarPage }) {
  const { month, today, events } = page;
  return (
    <>
      <table className="hidden w-full table-fixed border-t-2 border-primary-80 md:table">
        <caption className="sr-only">{monthText(month)} 일정</caption>
        <thead>
          <tr>
            {Array.from("일월화수목금토", (name, at) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  "border-b border-gray-20 bg-gray-5 py-2 text-sm font-semibold",
                  at === 0 ? "text-danger-60" : at === 6 ? "text-primary-60" : "text-gray-80",
                )}
              >
                {name}
                <span className="sr-only">요일</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month).map((week) => (
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
          <EventList events={events} label={`${monthText(month)} 일정`} />
        ) : (
          <Empty className="border-y border-gray-20">이 달에는 일정이 없습니다.</Empty>
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
        <span className="sr-only">일 {weekdayOf(day)}요일</span>
      </time>
      {events.length > 0 && (
        <ul className="mt-1 grid gap-1">
          {events.map(({ boardCode, itemNo, title, event }) => (
            <li key={`${boardCode}-${itemNo}`}>
              <Link
                to={boardItemHref(boardCode, itemNo)}
                className={cx(
                  "block min-h-6 rounded-sm border-l-3 px-1.5 py-0.5 text-xs text-gray-90 hover:underline",
                  event.isCancelled
                    ? "border-danger-50 bg-danger-5 line-through"
                    : event.isOver
                      ? "border-gray-40 bg-gray-10"
                      : "border-primary-60 bg-primary-10",
                )}
              >
                {event.isCancelled && <span className="sr-only">{eventDistanceText(event)} </span>}
                {event.firstDay === day && eventHoursText(event) && (
                  <span className="tabular mr-1 text-gray-70">{eventHoursText(event).slice(0, 5)}</span>
                )}
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </td>
  );
}

/** What comes next, and the way into one's own calendar. */
export function ComingEvents({ page: { coming, boards, feeds, boardCode } }: { page: CalendarPage }) {
  const followed = boards.filter(
    (board) => feeds.includes(board.boardCode) && (boardCode === "" || board.boardCode === boardCode),
  );
  return (
    <section aria-labelledby="coming-events" className="mt-12 md:mt-16">
      <h2 id="coming-events" className="border-b-2 border-primary-80 pb-2 text-xl">
        다가오는 일정
      </h2>
      {coming.length > 0 ? (
        <EventList events={coming} label="다가오는 일정" />
      ) : (
        <Empty className="border-b border-gray-20">예정된 일정이 없습니다.</Empty>
      )}
      {followed.length > 0 && (
        <div className="mt-8 rounded-lg bg-gray-5 p-5 print:hidden">
          <h3 className="text-base">내 달력 앱에서 보기</h3>
          <p className="mt-1 text-sm text-gray-70">
            아래 주소를 달력 앱의 ‘구독’이나 ‘URL로 추가’에 넣으시면 새 일정과 바뀐 일정이 저절로 반영됩니다.
          </p>
          <ul className="mt-3 flex flex-wrap gap-2">
            {followed.map((board) => (
              <li key={board.boardCode}>
                <ButtonLink to={`/board/${board.boardCode}/calendar.ics`} reloadDocument size="sm">
                  <CalendarPlus aria-hidden="true" className="size-4.5" />
                  {board.boardName} 일정 (ics)
                </ButtonLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
