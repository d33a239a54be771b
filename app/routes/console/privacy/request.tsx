import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { RequestActions } from "#app/features/privacy/request-actions.tsx";
import { RequestStatusBadge } from "#app/features/privacy/request-status.tsx";
import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { REQUEST_KIND_NAMES } from "#worker/contract/privacy/rules.ts";
import { authorizeConsole } from "#worker/domain/kernel/guarded-batch.server.ts";
import { getPrivacyRequest } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/request";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorizeConsole(ctx);
  const { id } = readPagePath(idPath, params);
  return getPrivacyRequest(ctx, id);
});

export const meta = titledMeta("개인정보 요구", "관리");

export default function PrivacyRequestPage({ loaderData: request }: Route.ComponentProps) {
  const kind = REQUEST_KIND_NAMES[request.kind];
  return (
    <>
      <ConsoleHeader
        title={`${request.requesterName}님의 ${kind} 요구`}
        links={[{ label: "목록", href: "/Admin/Privacy" }]}
      />
      {request.overdue && (
        <Alert tone="warning" className="mb-6">
          처리 기한이 지났습니다. 지체 없이 처리하고, 늦은 사유를 답변에 적어 주십시오.
        </Alert>
      )}
      <DescriptionList
        items={[
          ["상태", <RequestStatusBadge key="status" status={request.status} overdue={request.overdue} />],
          ["받은 날", <Time key="received" date={request.receivedDate} format="datetime" />],
          [
            "처리 기한",
            <span key="due">
              <Time date={request.dueDate} />
              {request.extendedReason && <span className="text-gray-60"> (늦춘 사유: {request.extendedReason})</span>}
            </span>,
          ],
          [
            "요구한 사람",
            request.userId ? (
              <TextLink key="who" to={`/Admin/Members/${request.userId}`}>
                {request.requesterName} (회원)
              </TextLink>
            ) : (
              `${request.requesterName} (회원 아님)`
            ),
          ],
          ["답변을 받을 곳", request.contact || "이메일 없음. 서면으로 답합니다."],
          [
            "내용",
            <p key="content" className="whitespace-pre-wrap">
              {request.content || "파기하였습니다."}
            </p>,
          ],
          ...(request.closedDate
            ? [
                [
                  "답변",
                  <div key="answer">
                    <p className="whitespace-pre-wrap">{request.answer}</p>
                    <p className="mt-1 text-sm text-gray-60">
                      {request.handlerName} · <Time date={request.closedDate} format="datetime" />
                    </p>
                  </div>,
                ] as const,
              ]
            : []),
        ]}
      />
      {!request.closedDate && <RequestActions request={request} />}
      <ConsoleSection title="처리 기록">
        <AuditTable rows={request.history} caption="처리 기록" />
      </ConsoleSection>
    </>
  );
}
