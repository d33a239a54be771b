import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { eventHref } from "#app/features/event/event-paths.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { PrintButton } from "#app/features/form/print-button.tsx";
import { amounts, labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { formatCount, formatDateTime, formatLongDate } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { EVENT_DESK } from "#worker/contract/event/event.ts";
import type { EventFigure } from "#worker/contract/event/view.ts";
import { getEventFigures } from "#worker/domain/event/figures.server.ts";
import type { Route } from "./+types/figures";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  figures: await getEventFigures(scope, readEventPath(params)),
}));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.figures.item.title ?? "행사 신청", "신청 통계", "관리"] });

export default function EventFiguresPage({ loaderData: { figures } }: Route.ComponentProps) {
  const { item, places, counts, fees, roles, affiliations, days, date } = figures;
  const { spanText } = useEventTexts();
  const dayFigures = days.map((figure) => ({ ...figure, label: formatLongDate(figure.label) }));
  return (
    <>
      <ConsoleHeader title="신청 통계" parent={{ label: item.title, href: eventHref(item) }} action={<PrintButton />} />
      <p className="hidden font-semibold print:block">{item.title}</p>
      <p className="mb-4">
        {[
          item.event && spanText(item.event),
          places === null ? "정원 없음" : `정원 ${formatCount(places)}명`,
          ...EVENT_DESK.names.map((status) => `${EVENT_DESK.states[status]} ${formatCount(counts[status])}명`),
          `${formatDateTime(date)} 기준`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {fees.length > 0 && <FigureTable title="참가비별" figures={fees} columns={FEE_COLUMNS} cards />}
      <FigureTable title="회원 구분별" figures={roles} />
      <FigureTable title="소속별" figures={affiliations} />
      <FigureTable title="신청한 날별" figures={dayFigures} />
      <p className="mt-4 text-sm text-gray-60">취소한 사람은 위의 ‘취소’에만 셉니다. 소속은 주소록에서 가져옵니다.</p>
    </>
  );
}

/** Columns whose sum the last row shows. */
const NUMBERS = {
  신청: ({ people }: EventFigure) => people,
  "자리 있음": ({ placed }: EventFigure) => placed,
  출석: ({ present }: EventFigure) => present,
};
const FEE_NUMBERS = { ...NUMBERS, "낸 사람": ({ payers }: EventFigure) => payers };
const PAID = "낸 금액";

const columnsOf = (numbers: Record<string, (figure: EventFigure) => number>): ListColumn<EventFigure>[] => [
  labelled("구분", ({ label }) => label),
  ...Object.entries(numbers).map(([head, numberOf]) =>
    amounts<EventFigure>(head, (figure) => formatCount(numberOf(figure))),
  ),
];
const COLUMNS = columnsOf(NUMBERS);
const FEE_COLUMNS = [...columnsOf(FEE_NUMBERS), amounts<EventFigure>(PAID, ({ paid }) => formatWon(paid))];

function sumsOf(figures: readonly EventFigure[]): Record<string, string> {
  const sum = (numberOf: (figure: EventFigure) => number) =>
    figures.reduce((total, figure) => total + numberOf(figure), 0);
  const numbers = Object.entries(FEE_NUMBERS).map(([head, numberOf]) => [head, formatCount(sum(numberOf))]);
  return { 구분: "합계", ...Object.fromEntries(numbers), [PAID]: formatWon(sum(({ paid }) => paid)) };
}

interface FigureTableProps {
  title: string;
  figures: readonly EventFigure[];
  columns?: ListColumn<EventFigure>[];
  /** On phones, where the columns do not fit. */
  cards?: boolean;
}

const FigureTable = ({ title, figures, columns = COLUMNS, cards = false }: FigureTableProps) => (
  <ConsoleSection title={title}>
    <ListTable
      caption={title}
      columns={columns}
      rows={figures}
      keyOf={({ label }) => label}
      sums={sumsOf(figures)}
      cards={cards}
      emptyText="신청한 사람이 없습니다."
    />
  </ConsoleSection>
);
