import { eventHref, eventSettingHref } from "#app/features/event/event-paths.ts";
import { PhaseBadge } from "#app/features/event/registration-state.tsx";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable, PagedTable } from "#app/features/list/searched-list.tsx";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { PLACE_TAKEN } from "#worker/contract/event/event.ts";
import { listEventsQuery } from "#worker/contract/event/input.ts";
import type { EventRow, RegisteredItem } from "#worker/contract/event/view.ts";
import { listEventItems, listEvents } from "#worker/domain/event/event.server.ts";
import type { Route } from "./+types/events";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [list, items] = await Promise.all([
    loadSearchedList(request, listEventsQuery, (query) => listEvents(scope, query)),
    listEventItems(scope),
  ]);
  return { list, items };
});

function EventDay({ event }: Pick<RegisteredItem, "event">) {
  const { dayText } = useEventTexts();
  return event && <span className="tabular whitespace-nowrap">{dayText(event)}</span>;
}

const takenPlaces = ({ counts }: EventRow) => PLACE_TAKEN.reduce((sum, status) => sum + counts[status], 0);

const COLUMNS: ListColumn<EventRow>[] = [
  {
    head: "행사",
    className: "max-md:font-semibold md:max-w-md",
    renderCell: (row) => <TextLink to={eventHref(row)}>{row.title}</TextLink>,
  },
  labelled("일시", (row) => <EventDay event={row.event} />),
  labelled("신청", ({ phase }) => <PhaseBadge phase={phase} />),
  labelled(
    "확정/정원",
    (row) => `${formatCount(takenPlaces(row))}/${row.places === null ? "-" : formatCount(row.places)}`,
  ),
  labelled("대기", ({ counts }) => formatCount(counts.waiting)),
  labelled("출석", ({ counts }) => formatCount(counts.present)),
];

const ITEM_COLUMNS: ListColumn<RegisteredItem>[] = [
  { head: "행사", className: "max-md:font-semibold md:max-w-md", renderCell: ({ title }) => title },
  labelled("일시", (row) => <EventDay event={row.event} />),
  {
    head: "관리",
    hidesHead: true,
    renderCell: (row) => (
      <ButtonLink size="sm" to={eventSettingHref(row)}>
        신청 받기<span className="sr-only">: {row.title}</span>
      </ButtonLink>
    ),
  },
];

const keyOf = ({ boardCode, itemNo }: RegisteredItem | EventRow) => `${boardCode} ${itemNo}`;

export default function EventsPage({ loaderData: { list, items } }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="신청을 받는 행사입니다. 새 행사는 게시판에 일정이 있는 글로 올린 뒤 아래에서 신청을 받습니다." />
      <PagedTable
        name="신청을 받는 행사"
        path="/Admin/Events"
        list={list}
        columns={COLUMNS}
        keyOf={keyOf}
        emptyText="신청을 받는 행사가 없습니다."
        className="tabular md:min-w-[44rem]"
      />
      {items.length > 0 && (
        <ConsoleSection title="신청을 받을 수 있는 행사">
          <ListTable caption="신청을 받을 수 있는 행사" columns={ITEM_COLUMNS} rows={items} keyOf={keyOf} />
        </ConsoleSection>
      )}
    </>
  );
}
