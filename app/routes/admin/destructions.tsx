import { Form, useSearchParams } from "react-router";
import { PrivacyHead } from "#app/features/admin/privacy-head.tsx";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { parse } from "#worker/contract/parse.ts";
import { listDestructionsQuery, RETENTION_RULES, RULE_CODES } from "#worker/contract/privacy.ts";
import { listDestructions } from "#worker/domain/privacy/register.server.ts";
import type { Route } from "./+types/destructions";

export const loader = page(async (door, { request }: Route.LoaderArgs) =>
  listDestructions(door, parse(listDestructionsQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["파기 대장", "관리"] });
}

const RULES = [
  { value: "retire", label: "본인 탈퇴" },
  { value: "request", label: "정보주체의 삭제 요구" },
  ...RULE_CODES.map((rule) => ({ value: rule, label: RETENTION_RULES[rule].label })),
];

export default function DestructionsPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages } = loaderData;
  const [params] = useSearchParams();
  const href = (number: number) => {
    const next = new URLSearchParams(params);
    next.set("page", String(number));
    return `/Admin/Privacy/Destructions?${next}`;
  };
  return (
    <>
      <PrivacyHead description="무엇을 언제 어느 규칙으로 몇 건 파기하였는지의 기록입니다. 누구였는지는 되찾을 수 없는 번호로만 남고, 고치거나 지울 수 없습니다." />
      <Form method="get" key={params.toString()} className="flex flex-wrap items-end gap-3 rounded-lg bg-gray-5 p-4">
        <Field label="규칙" className="min-w-40 flex-1">
          <Select name="rule" defaultValue={params.get("rule") ?? ""} placeholder="모두" options={RULES} />
        </Field>
        <Field label="날짜부터" className="min-w-40 flex-1">
          <Input name="from" type="date" defaultValue={params.get("from") ?? ""} />
        </Field>
        <Field label="날짜까지" className="min-w-40 flex-1">
          <Input name="to" type="date" defaultValue={params.get("to") ?? ""} />
        </Field>
        <Button type="submit" variant="primary">
          찾기
        </Button>
      </Form>
      <p className="tabular my-4 text-gray-70">총 {formatCount(totalElements)}건</p>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">파기한 것이 없습니다.</Empty>
      ) : (
        <Table caption="파기 대장" className="min-w-[46rem]">
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
                <Td>{row.kind}</Td>
                <Td>{formatCount(row.count)}</Td>
                <Td>{row.basis}</Td>
                <Td className="font-mono text-sm">{row.subjectRef || "-"}</Td>
                <Td>{row.automatic ? "예약 작업" : row.actorName || "탈퇴한 회원"}</Td>
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
