import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { auditPath, auditSubjectsQuery } from "#worker/contract/audit/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { authorizeConsole } from "#worker/domain/kernel/guarded-batch.server.ts";
import { listAuditSubjects } from "#worker/domain/audit/export-subject.server.ts";
import type { Route } from "./+types/audit-row";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorizeConsole(ctx);
  const path = auditPath.safeParse(params);
  if (!path.success) throw new AppError("NOT_FOUND");
  const query = parseInput(auditSubjectsQuery, Object.fromEntries(new URL(request.url).searchParams));
  return listAuditSubjects(ctx, path.data.auditId, query.page);
});

export const meta = titledMeta("감사 기록 한 건", "관리");

/** One row, and who was in what it took out. */
export default function AuditRowPage({ loaderData: { row, people } }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader
        title={`감사 기록 ${formatCount(row.id)}번`}
        action={
          <ButtonLink to="/Admin/Audit" size="sm">
            감사 기록
          </ButtonLink>
        }
      />
      <AuditTable rows={[row]} caption="감사 기록" />
      <ConsoleSection title={`포함된 사람 ${formatCount(people.totalElements)}명`}>
        {people.content.length === 0 ? (
          <Empty className="border-y border-gray-20">내보낸 사람의 목록이 없는 기록입니다.</Empty>
        ) : (
          <Table caption="포함된 사람">
            <thead>
              <tr>
                <Th className="whitespace-nowrap">이름</Th>
                <Th>이메일</Th>
                <Th className="whitespace-nowrap">구분</Th>
              </tr>
            </thead>
            <tbody>
              {people.content.map((person) => (
                <tr key={person.id}>
                  <Td className="whitespace-nowrap">
                    {person.subjectType === "user" ? (
                      <TextLink to={`/Admin/Members/${person.id}`} className="inline-flex min-h-6 items-center">
                        {person.name || "알 수 없음"}
                      </TextLink>
                    ) : (
                      person.name || "파기됨"
                    )}
                  </Td>
                  <Td className="break-all">{person.email || "-"}</Td>
                  <Td className="whitespace-nowrap">{person.subjectType === "user" ? "회원" : "동문"}</Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <div className="mt-8">
          <Pager
            page={people.page}
            totalPages={people.totalPages}
            href={(number) => `/Admin/Audit/${row.id}?page=${number}`}
            label="포함된 사람 페이지 이동"
          />
        </div>
      </ConsoleSection>
    </>
  );
}
