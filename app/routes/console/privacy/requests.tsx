import { useState } from "react";
import { Form, Link } from "react-router";
import { EnterRequestDialog } from "#app/features/privacy/enter-request.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { RequestStatusBadge } from "#app/features/privacy/request-status.tsx";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { listRequestsQuery } from "#worker/contract/privacy/input.ts";
import { REQUEST_KIND_NAMES, REQUEST_STATUS_NAMES } from "#worker/contract/privacy/rules.ts";
import { listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/requests";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listRequestsQuery, (query) => listPrivacyRequests(scope, query)),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["개인정보 요구", "관리"] });
}

const STATUSES = [
  { value: "open", label: "처리할 것" },
  { value: "overdue", label: "기한이 지난 것" },
  ...Object.entries(REQUEST_STATUS_NAMES).map(([value, label]) => ({ value, label })),
];
const KINDS = Object.entries(REQUEST_KIND_NAMES).map(([value, label]) => ({ value, label }));

export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, problems } = loaderData;
  const { key, value, filter, href } = useListSearch("/Admin/Privacy");
  const [entering, setEntering] = useState(false);
  return (
    <>
      <PrivacyHeader
        description="회원과 동문이 자기 정보의 열람, 정정, 삭제, 처리정지를 요구한 것을 기한 안에 처리합니다."
        action={
          <>
            <ExportButton
              object="개인정보 요구를"
              disabled={totalElements === 0}
              note="지금 보고 있는 조건의 요구를 이름, 연락처, 내용과 함께 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오."
              request={(json) =>
                api.admin.privacy.request.export.$post({ json: { ...json, filter: filter(["status", "kind"]) } })
              }
            />
            <Button size="sm" variant="primary" onClick={() => setEntering(true)}>
              요구 등록
            </Button>
          </>
        }
      />
      <Form method="get" key={key} className="flex flex-wrap items-end gap-3 rounded-lg bg-gray-5 p-4">
        <Field label="상태" className="min-w-40 flex-1 md:flex-none" error={problems.status}>
          <Select name="status" defaultValue={value("status")} placeholder="모두" options={STATUSES} />
        </Field>
        <Field label="종류" className="min-w-40 flex-1 md:flex-none" error={problems.kind}>
          <Select name="kind" defaultValue={value("kind")} placeholder="모두" options={KINDS} />
        </Field>
        <div className="flex gap-2">
          <Button type="submit" variant="primary">
            찾기
          </Button>
          <ButtonLink to="/Admin/Privacy">조건 지우기</ButtonLink>
        </div>
      </Form>
      <p role="status" className="tabular my-4 text-gray-70">
        총 {formatCount(totalElements)}건
      </p>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">요구가 없습니다.</Empty>
      ) : (
        <Table caption="개인정보 요구" cards className="md:min-w-[40rem]">
          <thead>
            <tr>
              <Th>종류</Th>
              <Th>요구한 사람</Th>
              <Th>상태</Th>
              <Th>기한</Th>
              <Th>받은 날</Th>
            </tr>
          </thead>
          <tbody>
            {content.map((row) => (
              <tr key={row.id}>
                <Td>
                  <Link
                    to={`/Admin/Privacy/Request/${row.id}`}
                    className="inline-flex min-h-6 items-center font-semibold text-primary-70 underline underline-offset-4"
                  >
                    {REQUEST_KIND_NAMES[row.kind]}
                  </Link>
                </Td>
                <Td data-label="요구한 사람">
                  {row.requesterName}
                  <span className="text-sm text-gray-60 max-md:ml-2 md:block">{row.userId ? "회원" : "회원 아님"}</span>
                </Td>
                <Td>
                  <RequestStatusBadge status={row.status} overdue={row.overdue} />
                </Td>
                <Td data-label="기한">
                  <Time date={row.dueDate} />
                </Td>
                <Td data-label="받은 날">
                  <Time date={row.receivedDate} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="mt-8">
        <Pager page={at} totalPages={totalPages} href={href} label="개인정보 요구 페이지 이동" />
      </div>
      <EnterRequestDialog open={entering} onClose={() => setEntering(false)} />
    </>
  );
}
