import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { SearchedList, useListSearch } from "#app/features/list/searched-list.tsx";
import { api } from "#app/lib/api.ts";
import { line } from "#worker/contract/kernel/row.ts";
import { formatCount } from "#app/lib/format.ts";
import { TextLink } from "#app/ui/inline.tsx";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { AUDIT_FILTERS as FILTERS } from "#worker/contract/audit/log.ts";
import { listAuditQuery } from "#worker/contract/audit/input.ts";
import { listAuditLog } from "#worker/domain/audit/audit-log.server.ts";
import type { Route } from "./+types/audit-log";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listAuditQuery, (query) =>
    // Filtering by one action includes read accesses.
    listAuditLog(scope, { ...query, reads: query.reads ?? (query.action ? "shown" : "folded") }),
  ),
);

const PATH = "/Admin/Audit";

export default function AuditPage({ loaderData: list }: Route.ComponentProps) {
  const { filter } = useListSearch(PATH);
  return (
    <>
      <ConsoleHeader
        description="누가 언제 어디에서 무엇을 하였는지의 기록입니다. 고치거나 지울 수 없습니다."
        action={
          <ExportButton
            object="감사 기록을"
            disabled={list.totalElements === 0}
            request={(json) =>
              api.admin.audit.export.$post({ json: { ...json, filter: filter({ ...FILTERS, targetId: line("") }) } })
            }
          />
        }
      />
      <SearchedList name="감사 기록" path={PATH} fields={FILTERS} list={list} className="md:grid-cols-4">
        {list.foldedReads > 0 && (
          <p className="mb-3 text-gray-60">
            조회와 로그인 {formatCount(list.foldedReads)}건은 접어 두었습니다.{" "}
            <TextLink to={`${PATH}?${new URLSearchParams({ ...filter(FILTERS), reads: "shown" })}`}>함께 보기</TextLink>
          </p>
        )}
        <AuditTable rows={list.content} caption="감사 기록" />
      </SearchedList>
    </>
  );
}
