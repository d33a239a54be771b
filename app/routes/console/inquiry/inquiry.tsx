import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { QuestionButton } from "#app/features/form/action.tsx";
import { InquiryThread } from "#app/features/inquiry/inquiry-thread.tsx";
import { InquiryMessageForm } from "#app/features/inquiry/message-form.tsx";
import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { INQUIRY_CATEGORY_NAMES, INQUIRY_DESK } from "#worker/contract/inquiry/inquiry.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { authorize } from "#worker/domain/kernel/authorize.server.ts";
import { getInquiry } from "#worker/domain/inquiry/inquiry.server.ts";
import type { Route } from "./+types/inquiry";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorize(ctx, { action: "Inquiry_Answer" });
  return getInquiry(ctx, readPagePath(idPath, params, "문의를 찾을 수 없습니다.").id);
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.subject ?? "1:1 문의", "관리"] });

export default function InquiryPage({ loaderData: inquiry }: Route.ComponentProps) {
  const { id, subject, status, category, userName, createdDate, version, messages, hasMail, history } = inquiry;
  const act = api.admin.inquiry[":id"];
  const param = { id };
  return (
    <>
      <ConsoleHeader
        title={subject}
        parent={{ label: "1:1 문의", href: "/Admin/Inquiries" }}
        action={
          hasCommand(INQUIRY_DESK, "closeByOffice", status) && (
            <QuestionButton
              question={{
                label: "답변 없이 종료",
                title: "답변하지 않고 종료하시겠습니까?",
                text: "전화로 이미 답하였거나 답변이 필요 없는 문의를 종료합니다. 회원에게는 알리지 않습니다.",
                work: () => callApi(act.close.$post({ param, json: { version } })),
                done: "문의를 종료하였습니다.",
              }}
            >
              종료
            </QuestionButton>
          )
        }
      />
      <DescriptionList
        items={[
          ["상태", <StateBadge key="status" desk={INQUIRY_DESK} state={status} />],
          ["분류", INQUIRY_CATEGORY_NAMES[category]],
          ["물은 회원", userName],
          ["접수한 때", <Time key="created" date={createdDate} format="datetime" />],
        ]}
      />
      <ConsoleSection title="주고받은 글">
        <InquiryThread
          messages={messages}
          nameOf={({ isOffice, authorName }) => (isOffice ? `${authorName} (사무국)` : authorName)}
        />
      </ConsoleSection>
      {hasCommand(INQUIRY_DESK, "answer", status) && (
        <ConsoleSection title="답변">
          <div className="rounded-lg bg-gray-5 p-5">
            <InquiryMessageForm
              key={version}
              label="답변"
              submitLabel="답변 보내기"
              contentLabel="답변 내용"
              hint={
                hasMail
                  ? "회원의 마이페이지와 알림함에 나오고, 같은 내용을 메일로 보냅니다."
                  : "회원의 마이페이지와 알림함에 나옵니다. 확인된 이메일이 없어 메일은 보내지 못합니다."
              }
              send={(message) => callApi(act.answer.$post({ param, json: { ...message, version } }))}
              done={({ mailed }) => (mailed ? "답변을 등록하고 메일로 보냈습니다." : "답변을 등록하였습니다.")}
            />
          </div>
        </ConsoleSection>
      )}
      <ConsoleSection title="처리 기록">
        <AuditTable rows={history} caption="처리 기록" />
      </ConsoleSection>
    </>
  );
}
