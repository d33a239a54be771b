import { useWords } from "#app/lib/page-language.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, PagedTable } from "#app/features/list/searched-list.tsx";
import { RoundStatusBadge } from "#app/features/mailing/round-status.tsx";
import { formatCount } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { listRoundsQuery } from "#worker/contract/mailing/input.ts";
import { listRounds, type RoundRow } from "#worker/domain/mailing/round-figures.server.ts";
import type { Route } from "./+types/rounds";

export const loader = searchedListLoader(listRoundsQuery, listRounds);

const COLUMNS: ListColumn<RoundRow>[] = [
  {
    head: "시작한 날",
    renderCell: (row) => (
      <TextLink to={`/Admin/Rounds/${row.id}`} className="font-semibold">
        {row.startDate ? <Time date={row.startDate} /> : "시작하지 않음"}
      </TextLink>
    ),
  },
  { head: "상태", renderCell: (row) => <RoundStatusBadge status={row.status} /> },
  labelled(
    "답한 사람",
    (row) => (row.status === "draft" ? "-" : `${formatCount(row.people)}명 가운데 ${formatCount(row.answered)}명`),
    "tabular whitespace-nowrap",
  ),
  labelled("끝나는 날", (row) => (row.endDate ? <Time date={row.endDate} /> : "-"), "whitespace-nowrap"),
  labelled("다음 해에 다시", (row) => (row.repeatDate ? <Time date={row.repeatDate} /> : "-"), "whitespace-nowrap"),
  labelled("시작한 사람", (row) => row.createdUserName || "-", "whitespace-nowrap"),
];

export default function RoundsPage({ loaderData: list }: Route.ComponentProps) {
  const say = useWords();
  return (
    <>
      <ConsoleHeader
        description={say(
          "{동문주소록}에서 사람을 찾거나 골라 '정보 확인 요청'을 누르면 시작합니다. 시작하지 않은 초안은 30일 뒤에 지워집니다.",
        )}
        links={[{ label: say("{동문주소록}"), href: "/Alumni" }]}
      />
      <PagedTable
        name="정보 확인"
        path="/Admin/Rounds"
        list={list}
        columns={COLUMNS}
        keyOf={(row) => row.id}
        emptyText="정보 확인을 요청한 적이 없습니다."
        className="md:min-w-[48rem]"
      />
    </>
  );
}
