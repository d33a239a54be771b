import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { auditPath, auditSubjectsQuery } from "#worker/contract/audit/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { listAuditSubjects } from "#worker/domain/audit/audit-log.server.ts";
import type { Route } from "./+types/audit-row";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorizeConsole(ctx);
  const { auditId } = readPagePath(auditPath, params);
  const query = parseInput(auditSubjectsQuery, Object.fromEntries(new URL(request.url).searchParams));
  return listAuditSubjects(ctx, auditId, query.page);
});

export const meta = titledMeta("감사 기록 한 건", "관리");

const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["people"]["content"][number]>[] = [
  {
    head: "이름",
    className: "whitespace-nowrap",
    headClassName: "whitespace-nowrap",
    renderCell: ({ id, subjectType, name, isHidden }) =>
      subjectType === "user" ? (
        <TextLink to={`/Admin/Members/${id}`} className="inline-flex min-h-6 items-center">
          {name || "알 수 없음"}
        </TextLink>
      ) : (
        name || (isHidden ? "주소록을 볼 권한이 없습니다" : "파기됨")
      ),
  },
  { head: "이메일", className: "break-all", renderCell: ({ email }) => email || "-" },
  {
    head: "구분",
    className: "whitespace-nowrap",
    headClassName: "whitespace-nowrap",
    renderCell: ({ subjectType }) => (subjectType === "user" ? "회원" : "주소록"),
  },
];

export default function AuditRowPage({ loaderData: { row, people } }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader
        title={`감사 기록 ${formatCount(row.id)}번`}
        links={[{ label: "감사 기록", href: "/Admin/Audit" }]}
      />
      <AuditTable rows={[row]} caption="감사 기록" />
      {!row.lacks && (
        <ConsoleSection title={`포함된 사람 ${formatCount(people.totalElements)}명`}>
          <ListTable
            caption="포함된 사람"
            cards={false}
            emptyText="사람을 회원 번호로 적지 않은 기록입니다."
            rows={people.content}
            keyOf={(person) => person.id}
            columns={COLUMNS}
          />
          <Pager
            list={people}
            href={(number) => `/Admin/Audit/${row.id}?page=${number}`}
            label="포함된 사람 페이지 이동"
          />
        </ConsoleSection>
      )}
    </>
  );
}
