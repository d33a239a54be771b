import { useWords } from "#app/lib/use-words.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import type { ListColumn } from "#app/features/list/searched-list.tsx";
import { SearchedTable } from "#app/features/list/searched-table.tsx";
import { RoundActions, RoundCohorts, RoundProgress } from "#app/features/mailing/round-progress.tsx";
import { RoundStart } from "#app/features/mailing/round-start.tsx";
import { RoundOutcomeBadge } from "#app/features/mailing/round-status.tsx";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { listRoundPeopleQuery } from "#worker/contract/mailing/round-input.ts";
import { ROUND_OUTCOME_NAMES } from "#worker/contract/mailing/round-rules.ts";
import { MAILING_CAUSE_NAMES } from "#worker/contract/mailing/rules.ts";
import type { RoundPersonRow } from "#worker/contract/mailing/round-view.ts";
import { previewDraftRound } from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople } from "#worker/domain/mailing/round-figures.server.ts";
import type { Route } from "./+types/round";

export const loader = pageLoader(async (scope, { request, params }: Route.LoaderArgs) => {
  const { id } = readPagePath(idPath, params);
  const [round, people, preview, { config }] = await Promise.all([
    getRound(scope, id),
    loadSearchedList(request, listRoundPeopleQuery, (query) => listRoundPeople(scope, id, query)),
    previewDraftRound(scope, id),
    scope.context(),
  ]);
  return { round, people, preview, origin: config.SITE_ORIGIN };
});

export const meta = titledMeta("정보 확인", "관리");

const FILTERS = [
  {
    name: "outcome",
    label: "결과",
    options: Object.entries(ROUND_OUTCOME_NAMES).map(([value, label]) => ({ value, label })),
  },
  { name: "cohort", label: "기수", maxLength: 3 },
] as const;

const COLUMNS: ListColumn<RoundPersonRow>[] = [
  {
    head: "이름",
    className: "max-md:font-semibold",
    renderCell: (row) =>
      row.name === "" ? (
        <span className="text-gray-60">삭제된 사람</span>
      ) : (
        <TextLink to={`/Alumni?${new URLSearchParams({ keyword: row.name })}`}>{row.name}</TextLink>
      ),
  },
  {
    head: "기수",
    label: true,
    className: "whitespace-nowrap",
    renderCell: (row) => (row.cohort === null ? "-" : `${row.cohort}기`),
  },
  { head: "이메일", label: true, className: "break-all", renderCell: (row) => row.address || "-" },
  {
    head: "결과",
    renderCell: (row) => (
      <>
        <RoundOutcomeBadge outcome={row.outcome} />
        {row.cause !== "" && row.outcome !== "confirmed" && row.outcome !== "changed" && (
          <span className="ml-2 text-sm text-gray-60">{MAILING_CAUSE_NAMES[row.cause]}</span>
        )}
      </>
    ),
  },
];

export default function RoundPage({ loaderData: { round, people, preview, origin } }: Route.ComponentProps) {
  const say = useWords();
  const whom =
    round.chosen === null
      ? `${say("{동문주소록}에서 찾은 사람 모두")}(${round.segment.join(" · ")})에게 정보가 맞는지 묻습니다.`
      : say(`{동문주소록}에서 고른 ${formatCount(round.chosen)}명에게 정보가 맞는지 묻습니다.`);
  return (
    <>
      <ConsoleHeader
        title="이 정보가 맞습니까?"
        parent={{ label: "정보 확인", href: "/Admin/Rounds" }}
        description={whom}
        action={<RoundActions round={round} />}
      />
      {preview ? (
        <RoundStart round={round} preview={preview} origin={origin} />
      ) : (
        <>
          <RoundProgress round={round} />
          <ConsoleSection title="기수별 결과">
            <RoundCohorts round={round} />
          </ConsoleSection>
          <div id="people" className="mt-10 scroll-mt-24">
            <ConsoleSection title="사람별 결과">
              <SearchedTable
                name="사람별 결과"
                path={`/Admin/Rounds/${round.id}`}
                fields={FILTERS}
                list={people}
                filterClassName="md:grid-cols-3"
                table={{ columns: COLUMNS, keyOf: (row) => row.personId, emptyText: "조건에 맞는 사람이 없습니다." }}
              />
            </ConsoleSection>
          </div>
        </>
      )}
    </>
  );
}
