import { Form } from "react-router";
import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { AUDIT_ACTION_OPTIONS } from "#app/features/operation/audit-action-names.ts";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { listAuditQuery } from "#worker/contract/audit/input.ts";
import { listAuditLog } from "#worker/domain/audit/audit-log.server.ts";
import type { Route } from "./+types/audit-log";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listAuditQuery, (query) => listAuditLog(scope, query)),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["감사 기록", "관리"] });
}

const FILTERS = ["action", "actor", "targetId", "subject", "address", "from", "to"];

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, problems } = loaderData;
  const { key, value, filter, href } = useListSearch("/Admin/Audit");
  return (
    <>
      <ConsoleHeader
        title="감사 기록"
        description="누가 언제 어디에서 무엇을 하였는지의 기록입니다. 고치거나 지울 수 없습니다."
        action={
          <ExportButton
            object="감사 기록을"
            disabled={totalElements === 0}
            request={(json) => api.admin.audit.export.$post({ json: { ...json, filter: filter(FILTERS) } })}
          />
        }
      />
      <Form method="get" key={key} className="grid items-start gap-3 rounded-lg bg-gray-5 p-4 md:grid-cols-3">
        <Field label="행위" error={problems.action}>
          <Select name="action" defaultValue={value("action")} placeholder="모두" options={AUDIT_ACTION_OPTIONS} />
        </Field>
        <Field label="행위자 이름" error={problems.actor}>
          <Input name="actor" defaultValue={value("actor")} maxLength={50} />
        </Field>
        <Field label="누구의 정보" error={problems.subject}>
          <Input name="subject" defaultValue={value("subject")} placeholder="이름, 아이디, 이메일" maxLength={100} />
        </Field>
        <Field label="접속 주소" error={problems.address}>
          <Input name="address" defaultValue={value("address")} maxLength={64} />
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
          <ButtonLink to="/Admin/Audit" size="sm">
            조건 지우기
          </ButtonLink>
        </div>
      </Form>
      <p role="status" className="tabular my-4 text-gray-70">
        총 {formatCount(totalElements)}건
      </p>
      <AuditTable rows={content} caption="감사 기록" />
      <div className="mt-8">
        <Pager page={at} totalPages={totalPages} href={href} label="감사 기록 페이지 이동" />
      </div>
    </>
  );
}
