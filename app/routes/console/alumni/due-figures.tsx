import { Form, useNavigate } from "react-router";
import { FixedLists } from "#app/features/alumni/dues/fixed-lists.tsx";
import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { PrintButton } from "#app/features/form/print-button.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { QuestionButton } from "#app/features/form/action.tsx";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { amounts, labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Button } from "#app/ui/button.tsx";
import { paidByQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { DUE_LIMITS, formatWon, namesById } from "#worker/contract/alumni/dues/dues.ts";
import { choice, line, moment } from "#worker/contract/kernel/row.ts";
import { shareText } from "#worker/contract/alumni/figures.ts";
import { type DueFigures, getDueFigures, listPaidBy, type PaidByList } from "#worker/domain/alumni/dues/due.server.ts";
import type { Route } from "./+types/due-figures";

/** With a moment or a fixed list the list of a meeting, otherwise the figures. */
export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { at = "", ...rest } = Object.fromEntries(new URL(request.url).searchParams);
  const time = Date.parse(`${at}:00+09:00`);
  const query = { ...rest, at: Number.isNaN(time) ? "" : new Date(time).toISOString() };
  const asked: Parameters<typeof listPaidBy>[1] = paidByQuery.safeParse(query).data ?? {};
  const [figures, list] = await Promise.all([
    getDueFigures(scope, { year: asked.period?.slice(0, 4) }),
    asked.at || asked.listId ? listPaidBy(scope, asked) : null,
  ]);
  return { figures, list, asked: { ...asked, at: asked.at?.toISOString() } };
});

export const meta = titledMeta("회비 현황", "관리");

export default function DueFiguresPage({ loaderData: { figures, list, asked } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { years, cohorts, kinds, lists, year, date } = figures;
  const { period = year, kindId = kinds[0]?.id ?? "", at = date } = asked;
  const fixed = lists.find(({ id }) => id === asked.listId);
  const count = list ? list.paid.length + list.exempt.length : 0;
  const kindNames = namesById(kinds);
  const controls = {
    period: line("연도", { max: DUE_LIMITS.period }),
    kindId: choice("회비 종류", kindNames, kindId),
    at: moment("기준 시각까지 완납한 회원"),
  };
  return (
    <>
      <ConsoleHeader
        title="회비 현황"
        description="연도별로 청구한 금액과 납부된 금액을 봅니다. 기준 시각을 정하면 그때까지 완납한 회원의 명단이 나옵니다."
        parent={{ label: "회비", href: "/Admin/Dues" }}
        action={
          <>
            {list && (
              <ExportButton
                object="납부자 명단을"
                disabled={count === 0}
                request={(json) =>
                  api.admin.due.export.$post({ json: { ...json, period, kindId, at, listId: asked.listId } })
                }
              />
            )}
            {list && !asked.listId && (
              <QuestionButton
                size="sm"
                disabled={count === 0}
                question={{
                  label: "명단 확정",
                  title: `${formatCount(count)}명의 명단을 확정하시겠습니까?`,
                  text: (
                    <p>
                      그 뒤에 들어오거나 고친 회비는 확정한 명단을 바꾸지 않습니다. {DUE_LIMITS.undoDays}일 동안 되돌릴
                      수 있습니다.
                    </p>
                  ),
                  work: async () => {
                    const json = { period, kindId, at, count };
                    const { id } = await callApi(api.admin.due["paid-by"].$put({ json, header: ONCE }));
                    void navigate(`?listId=${id}`);
                  },
                  done: () => `${formatCount(count)}명의 명단을 확정하였습니다. ${undoUntilText(DUE_LIMITS.undoDays)}`,
                }}
              />
            )}
            <PrintButton />
          </>
        }
      />
      <Form
        key={`${period} ${kindId} ${asked.at}`}
        method="get"
        className="mb-8 grid items-end gap-3 md:grid-cols-4 print:hidden"
      >
        <RowControls fields={controls} values={{ period, kindId, at: asked.at ?? "" }} errors={{}} />
        <Button type="submit">보기</Button>
      </Form>
      <p className="mb-4">
        {fixed
          ? `${fixed.name}, ${formatDateTime(fixed.createdDate)} 확정`
          : `${list ? `${period} ${kindNames[kindId] ?? ""}, ` : ""}${formatDateTime(at)} 기준`}
      </p>
      {list ? (
        <>
          <NameList title="완납한 회원" people={list.paid} />
          <NameList title="면제된 회원" people={list.exempt} />
        </>
      ) : (
        <div className="printed-columns">
          <FigureTable title="연도별 현황" figures={years} />
          {year && <FigureTable title={`${year}년 기수별`} figures={cohorts} />}
        </div>
      )}
      <FixedLists lists={lists.filter(({ kind }) => kind === "list")} />
    </>
  );
}

type Figure = DueFigures["years"][number];
const COLUMNS: ListColumn<Figure>[] = [
  labelled("구분", ({ label }) => label),
  amounts("건수", ({ count }) => formatCount(count)),
  amounts("청구액", ({ owed }) => formatWon(owed)),
  amounts("낸 금액", ({ paid }) => formatWon(paid)),
  amounts("남은 금액", ({ open }) => formatWon(open)),
  amounts("면제", ({ exempt }) => formatCount(exempt)),
  amounts("납부율", ({ paid, owed }) => shareText(paid, owed)),
];

/** The last row of a table of figures. */
function sumsOf(figures: readonly Figure[]): Record<string, string> {
  const sum = (of: "count" | "owed" | "paid" | "open" | "exempt") =>
    figures.reduce((total, figure) => total + figure[of], 0);
  return {
    구분: "합계",
    건수: formatCount(sum("count")),
    청구액: formatWon(sum("owed")),
    "낸 금액": formatWon(sum("paid")),
    "남은 금액": formatWon(sum("open")),
    면제: formatCount(sum("exempt")),
    납부율: shareText(sum("paid"), sum("owed")),
  };
}

const FigureTable = ({ title, figures }: { title: string; figures: readonly Figure[] }) => (
  <ConsoleSection title={title}>
    <ListTable
      caption={title}
      columns={COLUMNS}
      rows={figures}
      keyOf={({ label }) => label}
      sums={sumsOf(figures)}
      emptyText="없습니다."
    />
  </ConsoleSection>
);

const NameList = ({ title, people }: { title: string; people: PaidByList["paid"] }) => (
  <ConsoleSection title={`${title} ${formatCount(people.length)}명`}>
    <ol className="list-inside list-decimal columns-2 gap-6 text-sm md:columns-4 print:columns-4">
      {people.map(({ id, name, cohort }) => (
        <li key={id}>{cohort === null ? name : `${name} (${cohort}기)`}</li>
      ))}
    </ol>
  </ConsoleSection>
);
