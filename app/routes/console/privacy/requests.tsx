import { useWords } from "#app/lib/use-words.ts";
import { useState } from "react";
import { EnterRequestDialog } from "#app/features/privacy/enter-request.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { RequestStatusBadge } from "#app/features/privacy/request-status.tsx";
import { type ListColumn, useListSearch } from "#app/features/list/searched-list.tsx";
import { SearchedTable } from "#app/features/list/searched-table.tsx";
import { api } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { listRequestsQuery } from "#worker/contract/privacy/input.ts";
import { REQUEST_KIND_NAMES, REQUEST_STATUS_NAMES } from "#worker/contract/privacy/privacy.ts";
import { listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/requests";

export const loader = searchedListLoader(listRequestsQuery, listPrivacyRequests);

export const meta = titledMeta("개인정보 요구", "관리");

const STATUSES = [
  { value: "open", label: "처리할 것" },
  { value: "overdue", label: "기한이 지난 것" },
  ...Object.entries(REQUEST_STATUS_NAMES).map(([value, label]) => ({ value, label })),
];
const KINDS = Object.entries(REQUEST_KIND_NAMES).map(([value, label]) => ({ value, label }));

const PATH = "/Admin/Privacy";
const FILTERS = [
  { name: "status", label: "상태", options: STATUSES },
  { name: "kind", label: "종류", options: KINDS },
] as const;
const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  {
    head: "종류",
    renderCell: (row) => (
      <TextLink to={`/Admin/Privacy/Request/${row.id}`} className="inline-flex min-h-6 items-center font-semibold">
        {REQUEST_KIND_NAMES[row.kind]}
      </TextLink>
    ),
  },
  {
    head: "요구한 사람",
    label: true,
    renderCell: (row) => (
      <>
        {row.requesterName}
        <span className="ml-2 text-sm text-gray-60">{row.userId ? "회원" : "회원 아님"}</span>
      </>
    ),
  },
  { head: "상태", renderCell: (row) => <RequestStatusBadge status={row.status} overdue={row.overdue} /> },
  { head: "기한", label: true, renderCell: (row) => <Time date={row.dueDate} /> },
  { head: "받은 날", label: true, renderCell: (row) => <Time date={row.receivedDate} /> },
];

export default function PrivacyPage({ loaderData: list }: Route.ComponentProps) {
  const say = useWords();
  const { filter } = useListSearch(PATH);
  const [entering, setEntering] = useState(false);
  return (
    <>
      <PrivacyHeader
        description={say(
          "회원과 {동문:이/가} 자기 정보의 열람, 정정, 삭제, 처리정지를 요구한 것을 기한 안에 처리합니다.",
        )}
        action={
          <>
            <ExportButton
              disabled={list.totalElements === 0}
              object="개인정보 요구를"
              note="지금 보고 있는 조건의 요구를 이름, 연락처, 내용과 함께 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오."
              request={(json) => api.admin.privacy.request.export.$post({ json: { ...json, filter: filter(FILTERS) } })}
            />
            <Button size="sm" variant="primary" onClick={() => setEntering(true)}>
              요구 등록
            </Button>
          </>
        }
      />
      <SearchedTable
        name="개인정보 요구"
        path={PATH}
        fields={FILTERS}
        list={list}
        filterClassName="md:grid-cols-3"
        table={{
          columns: COLUMNS,
          keyOf: (row) => row.id,
          emptyText: "요구가 없습니다.",
          className: "md:min-w-[40rem]",
        }}
      />
      <EnterRequestDialog open={entering} onClose={() => setEntering(false)} />
    </>
  );
}
