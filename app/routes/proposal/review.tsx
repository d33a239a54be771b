import { useNavigate } from "react-router";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { DueDay } from "#app/features/proposal/marks.tsx";
import { OWN_PROPOSALS } from "#app/features/proposal/proposal-paths.ts";
import { applicantText, ProposalTextPart } from "#app/features/proposal/proposal-text.tsx";
import { ReviewForm } from "#app/features/proposal/review-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { StateBadge } from "#app/ui/inline.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { PROPOSAL_MESSAGES, REVIEW_DESK } from "#worker/contract/proposal/proposal.ts";
import type { ReviewPage } from "#worker/contract/proposal/view.ts";
import { getReviewPage } from "#worker/domain/proposal/review.server.ts";
import type { Route } from "./+types/review";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getReviewPage(scope, readPagePath(idPath, params, PROPOSAL_MESSAGES.reviewMissing).id),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.title ?? "제안서", "심의"] });

export default function ReviewProposalPage({ loaderData: page }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { title, number, callTitle, status, dueDay, applicants, proposal, commands } = page;
  return (
    <>
      <PageHeader
        title={title}
        parents={[
          { label: "마이페이지", href: "/Mypage" },
          { label: "연구 제안", href: OWN_PROPOSALS },
        ]}
      />
      <SigninGate className="container-page container-reading grid gap-12 pt-8 pb-16 md:pt-10 md:pb-24">
        <MypageSection title="심의 요청">
          <DescriptionList
            items={[
              ["상태", <StateBadge key="status" desk={REVIEW_DESK} state={status} />],
              ["접수 번호", number],
              ["공모", callTitle],
              ...(dueDay ? [["심의 기한", <DueDay key="due" day={dueDay} />] as const] : []),
              [
                "제안자",
                <ul key="applicants">
                  {applicants.map((each, at) => (
                    <li key={`${each.name} ${at + 1}`}>{applicantText(each)}</li>
                  ))}
                </ul>,
              ],
            ]}
          />
          <div className="needs-script mt-6 grid gap-4">
            {commands.includes("accept") && (
              <p className="text-gray-70">
                제안자와 같은 기관에서 일하였거나 함께 연구하는 등 심의에 영향을 줄 수 있는 관계가 있으면 회피해
                주십시오. 제안서는 이해상충이 없음을 확인하신 뒤에 보입니다.
              </p>
            )}
            <div className="flex flex-wrap items-start gap-2">
              {commands.includes("accept") && <AcceptButton page={page} />}
              {commands.includes("recuse") && <RecuseButton page={page} onDone={() => navigate(OWN_PROPOSALS)} />}
            </div>
          </div>
        </MypageSection>
        {proposal && (
          <>
            <MypageSection title="제안서">
              <ProposalTextPart text={proposal} />
            </MypageSection>
            <MypageSection
              title="심의 결과"
              hint={commands.includes("score") && "결정이 나기 전에는 고치실 수 있습니다."}
            >
              {commands.includes("score") ? (
                <ReviewForm key={page.reviewId} page={page} />
              ) : (
                <GivenResult page={page} />
              )}
            </MypageSection>
          </>
        )}
      </SigninGate>
    </>
  );
}

function AcceptButton({ page: { id, version } }: { page: ReviewPage }) {
  const { busy, run, problem } = useAction();
  const accept = () => callApi(api.proposal[":id"].review.accept.$post({ param: { id }, json: { version } }));
  return (
    <div className="grid gap-3">
      <Button variant="primary" busy={busy} onClick={() => void run(accept, "이제 제안서를 보실 수 있습니다.")}>
        이해상충 없음, 심의 시작
      </Button>
      <ErrorAlert>{problem}</ErrorAlert>
    </div>
  );
}

/** @param onDone leaves the page, which is closed then */
const RecuseButton = ({ page: { id, version }, onDone }: { page: ReviewPage; onDone: () => unknown }) => (
  <ActionButton
    label="회피"
    title="이 제안서의 심의를 회피하시겠습니까?"
    submitLabel="회피"
    danger
    work={(form) =>
      callApi(
        api.proposal[":id"].review.recuse.$post({
          param: { id },
          json: { reason: formText(form, "reason").trim(), version },
        }),
      )
    }
    reloads="conflict"
    done="심의를 회피하였습니다."
    onDone={onDone}
    reasonExample="예: 연구책임자와 같은 기관에서 근무"
  >
    {() => <p className="text-gray-70">회피하시면 이 제안서를 더 보실 수 없고, 사무국이 다른 심의위원을 지정합니다.</p>}
  </ActionButton>
);

const GivenResult = ({ page: { criteria, scores, opinion } }: { page: ReviewPage }) => (
  <DescriptionList
    items={[
      ...criteria.map(({ code, name, points }) => [name, `${lookUp(scores, code) ?? "-"}/${points}점`] as const),
      [
        "심의 의견",
        <span key="opinion" className="whitespace-pre-line">
          {opinion || "-"}
        </span>,
      ],
    ]}
  />
);
