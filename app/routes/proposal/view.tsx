import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { DueDay, hasReason, ProposalBadge } from "#app/features/proposal/marks.tsx";
import { OWN_PROPOSALS, writeProposalHref } from "#app/features/proposal/proposal-paths.ts";
import { ProposalHistory, ProposalTextPart } from "#app/features/proposal/proposal-text.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { PROPOSAL_MESSAGES } from "#worker/contract/proposal/proposal.ts";
import type { OpinionRow } from "#worker/contract/proposal/view.ts";
import { getProposalView } from "#worker/domain/proposal/own.server.ts";
import type { Route } from "./+types/view";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getProposalView(scope, readPagePath(idPath, params, PROPOSAL_MESSAGES.missing).id),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.title || "제안서", "연구 제안"] });

export default function ProposalViewPage({ loaderData: proposal }: Route.ComponentProps) {
  const { id, title, number, call, status, dueDay, reason, submittedDate, decidedDate, version } = proposal;
  const { opinions, history, commands } = proposal;
  const withdraw: Question = {
    label: "철회",
    title: "제안서를 철회하시겠습니까?",
    text: "철회한 제안서는 다시 제출할 수 없습니다. 같은 공모에는 새 제안서를 쓰실 수 있습니다.",
    danger: true,
    work: () => callApi(api.proposal[":id"].withdraw.$post({ param: { id }, json: { version } })),
    done: "제안서를 철회하였습니다.",
  };
  return (
    <>
      <PageHeader
        title={title || "제목 없는 제안서"}
        parents={[
          { label: "마이페이지", href: "/Mypage" },
          { label: "연구 제안", href: OWN_PROPOSALS },
        ]}
      />
      <SigninGate className="container-page container-reading grid gap-12 pt-8 pb-16 md:pt-10 md:pb-24">
        <MypageSection title="진행 상황">
          {hasReason(status) && reason && (
            <Alert className="mb-6" tone={status === "approved" ? "success" : "warning"} title="사유">
              <p className="mt-1 whitespace-pre-line">{reason}</p>
            </Alert>
          )}
          <DescriptionList
            items={[
              ["상태", <ProposalBadge key="status" status={status} />],
              ["접수 번호", number || "제출하면 정해집니다."],
              ["공모", call.title],
              ...(submittedDate
                ? [["제출", <Time key="submitted" date={submittedDate} format="datetime" />] as const]
                : []),
              ...(dueDay
                ? [[status === "review" ? "심의 기한" : "검토 기한", <DueDay key="due" day={dueDay} />] as const]
                : []),
              ...(decidedDate ? [["결정", <Time key="decided" date={decidedDate} format="datetime" />] as const] : []),
            ]}
          />
          {(commands.includes("save") || commands.includes("withdraw")) && (
            <div className="mt-6 flex flex-wrap gap-2">
              {commands.includes("save") && (
                <ButtonLink size="sm" variant="primary" to={writeProposalHref(id)}>
                  이어 쓰기
                </ButtonLink>
              )}
              {commands.includes("withdraw") && <QuestionButton className="needs-script" question={withdraw} />}
            </div>
          )}
        </MypageSection>
        {opinions.length > 0 && (
          <MypageSection title="심의 의견">
            <Opinions opinions={opinions} />
          </MypageSection>
        )}
        <MypageSection title="제안서">
          <ProposalTextPart text={proposal} />
        </MypageSection>
        <MypageSection title="진행 기록">
          <ProposalHistory rows={history} />
        </MypageSection>
      </SigninGate>
    </>
  );
}

const Opinions = ({ opinions }: { opinions: readonly OpinionRow[] }) => (
  <ul aria-label="심의 의견" className="space-y-4">
    {opinions.map(({ reviewer, round, total, opinion }, at) => (
      <li key={`${round} ${reviewer} ${at + 1}`} className="rounded-lg border border-gray-20 p-4 md:p-5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <strong className="text-gray-90">
            {reviewer || `심의위원 ${at + 1}`}
            {round > 1 && " (재심의)"}
          </strong>
          <span className="tabular">{total}점</span>
        </p>
        <p className="mt-2 whitespace-pre-line">{opinion}</p>
      </li>
    ))}
  </ul>
);
