import { Form } from "react-router";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { DESTRUCTION_RULE_NAMES } from "#worker/contract/audit/retention-rules.ts";
import { listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { listDestructions } from "#worker/domain/audit/destruction-register.server.ts";
import type { Route } from "./+types/destructions";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listDestructionsQuery, (query) => listDestructions(scope, query)),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["파기 대장", "관리"] });
}

const RULE_OPTIONS = Object.entries(DESTRUCTION_RULE_NAMES).map(([value, label]) => ({ value, label }));

export default function DestructionsPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, problems } = loaderData;
  const { key, value, filter, href } = useListSearch("/Admin/Privacy/Destructions");
  return (
    <>
      <PrivacyHeader
        description="무엇을 언제 어느 규칙으로 몇 건 파기하였는지의 기록입니다. 누구였는지는 되찾을 수 없는 번호로만 남고, 고치거나 지울 수 없습니다."
        action={
          <ExportButton
            object="파기 대장을"
            disabled={totalElements === 0}
            note="지금 보고 있는 조건의 기록을 모두 담습니다."
            request={(json) =>
              api.admin.privacy.destruction.export.$post({ json: { ...json, filter: filter(["rule", "from", "to"]) } })
            }
          />
        }
      />
      <Form method="get" key={key} className="grid items-start gap-3 rounded-lg bg-gray-5 p-4 md:grid-cols-3">
        <Field label="규칙" error={problems.rule}>
          <Select name="rule" defaultValue={value("rule")} placeholder="모두" options={RULE_OPTIONS} />
        </Field>
        <Field label="날짜부터" error={problems.from}>
          <Input name="from" type="date" defaultValue={value("from")} />
        </Field>
        <Field label="날짜까지" error={problems.to}>
          <Input name="to" type="date" defaultValue={value("to")} />
        </Field>
        <div className="flex gap-2 md:col-span-3">
          <Button type="submit" variant="primary" size="sm">
            찾기
          </Button>
          <ButtonLink to="/Admin/Privacy/Destructions" size="sm">
            조건 지우기
          </ButtonLink>
        </div>
      </Form>
      <p role="status" className="tabular my-4 text-gray-70">
        총 {formatCount(totalElements)}건
      </p>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">파기한 것이 없습니다.</Empty>
      ) : (
        <Table caption="파기 대장" cards className="md:min-w-[46rem]">
          <thead>
            <tr>
              <Th>파기한 때</Th>
              <Th>무엇을</Th>
              <Th>건수</Th>
              <Th>근거</Th>
              <Th>누구의 것(번호)</Th>
              <Th>누가</Th>
            </tr>
          </thead>
          <tbody>
            {content.map((row) => (
              <tr key={row.id}>
                <Td className="text-sm">
                  <Time date={row.createdDate} format="datetime" />
                </Td>
                <Td className="max-md:font-semibold">{row.kind}</Td>
                <Td data-label="건수">{formatCount(row.count)}</Td>
                <Td data-label="근거">{row.basis}</Td>
                <Td data-label="번호" className="font-mono text-sm">
                  {row.subjectRef || "-"}
                </Td>
                <Td data-label="누가">{row.automatic ? "예약 작업" : row.actorName || "탈퇴한 회원"}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="mt-8">
        <Pager page={at} totalPages={totalPages} href={href} label="파기 대장 페이지 이동" />
      </div>
    </>
  );
}
