import { ExportButton } from "#app/features/form/export-button.tsx";
import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { labelled, type ListColumn, SearchedTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Time } from "#app/ui/inline.tsx";
import { DESTRUCTION_FILTERS as FILTERS } from "#worker/contract/audit/retention-rules.ts";
import { listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { listDestructions } from "#worker/domain/audit/destruction.server.ts";
import type { Route } from "./+types/destructions";

export const loader = searchedListLoader(listDestructionsQuery, listDestructions);

export const meta = titledMeta("파기 대장", "관리");

const PATH = "/Admin/Privacy/Destructions";
const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  { head: "파기한 때", renderCell: (row) => <Time date={row.createdDate} format="datetime" />, className: "text-sm" },
  { head: "무엇을", renderCell: (row) => row.kind, className: "max-md:font-semibold" },
  labelled("건수", (row) => formatCount(row.count)),
  labelled("근거", (row) => row.basis),
  {
    head: "누구의 것(번호)",
    renderCell: (row) => row.subjectRef || "-",
    label: "번호",
    className: "font-mono text-sm",
  },
  labelled("누가", (row) => (row.automatic ? "예약 작업" : row.actorName || "탈퇴한 회원")),
];

export default function DestructionsPage({ loaderData: list }: Route.ComponentProps) {
  const { filter } = useListSearch(PATH);
  return (
    <>
      <PrivacyHeader
        description="무엇을 언제 어느 규칙으로 몇 건 파기하였는지의 기록입니다. 누구였는지는 되찾을 수 없는 번호로만 남고, 고치거나 지울 수 없습니다."
        action={
          <ExportButton
            object="파기 대장을"
            disabled={list.totalElements === 0}
            note="지금 보고 있는 조건의 기록을 모두 담습니다."
            request={(json) =>
              api.admin.privacy.destruction.export.$post({ json: { ...json, filter: filter(FILTERS) } })
            }
          />
        }
      />
      <SearchedTable
        name="파기 대장"
        path={PATH}
        fields={FILTERS}
        list={list}
        filterClassName="md:grid-cols-4"
        table={{
          columns: COLUMNS,
          keyOf: (row) => row.id,
          emptyText: "파기한 것이 없습니다.",
          className: "md:min-w-[46rem]",
        }}
      />
    </>
  );
}
