import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { QuestionButton } from "#app/features/form/action.tsx";
import { InquiryThread } from "#app/features/inquiry/inquiry-thread.tsx";
import { InquiryMessageForm } from "#app/features/inquiry/message-form.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { INQUIRY_CATEGORY_NAMES, INQUIRY_DESK } from "#worker/contract/inquiry/inquiry.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getOwnInquiry } from "#worker/domain/inquiry/inquiry.server.ts";
import type { Route } from "./+types/inquiry";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  requireSignedIn(ctx);
  return getOwnInquiry(ctx, readPagePath(idPath, params, "문의를 찾을 수 없습니다.").id);
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.subject ?? "1:1 문의", "마이페이지"] });

export default function MypageInquiry({ loaderData: inquiry }: Route.ComponentProps) {
  const { id, subject, status, category, createdDate, version, messages } = inquiry;
  const act = api.inquiry[":id"];
  const param = { id };
  return (
    <div className="space-y-12">
      <section aria-label="문의">
        <h2 className="text-xl">{subject}</h2>
        <p className="mt-2 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-gray-60">
          <StateBadge desk={INQUIRY_DESK} state={status} />
          <span>{INQUIRY_CATEGORY_NAMES[category]}</span>
          <span>
            <Time date={createdDate} format="datetime" /> 접수
          </span>
        </p>
        <InquiryThread messages={messages} nameOf={({ isOffice }) => (isOffice ? "사무국" : "나")} />
        <div className="mt-6 flex flex-wrap justify-between gap-3">
          <ButtonLink to="/Mypage/Inquiries">목록</ButtonLink>
          {hasCommand(INQUIRY_DESK, "close", status) && (
            <QuestionButton
              size="md"
              question={{
                label: "문의 종료",
                title: "문의를 종료하시겠습니까?",
                text: "종료하면 이 문의에 더 적으실 수 없습니다. 주고받은 글은 계속 보실 수 있습니다.",
                work: () => callApi(act.close.$post({ param, json: { version } })),
                done: "문의를 종료하였습니다.",
              }}
            >
              문의 종료
            </QuestionButton>
          )}
        </div>
      </section>
      {hasCommand(INQUIRY_DESK, "add", status) ? (
        <MypageSection title="추가 질문">
          <InquiryMessageForm
            key={messages.length}
            label="추가 질문"
            submitLabel="추가 질문 보내기"
            contentLabel="내용"
            send={(json) => callApi(act.message.$post({ param, json, header: ONCE }))}
            done="추가 질문을 보냈습니다."
          />
        </MypageSection>
      ) : (
        <p className="text-gray-60">종료된 문의입니다. 더 궁금하신 점은 새 문의로 보내 주십시오.</p>
      )}
    </div>
  );
}
