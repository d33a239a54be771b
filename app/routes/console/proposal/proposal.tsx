import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { DueDay, hasReason, ProposalBadge } from "#app/features/proposal/marks.tsx";
import {
  CheckForm,
  DropReviewerButton,
  NameReviewerButton,
  OfficeActs,
  ScoreFacts,
} from "#app/features/proposal/office-acts.tsx";
import { OFFICE_PROPOSALS } from "#app/features/proposal/proposal-paths.ts";
import { ProposalHistory, ProposalTextPart } from "#app/features/proposal/proposal-text.tsx";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Alert } from "#app/ui/alert.tsx";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { PROPOSAL_MESSAGES, REVIEW_DESK } from "#worker/contract/proposal/proposal.ts";
import type { CaseReview, ProposalCase } from "#worker/contract/proposal/view.ts";
import { getProposalCase } from "#worker/domain/proposal/office.server.ts";
import type { Route } from "./+types/proposal";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getProposalCase(scope, readPagePath(idPath, params, PROPOSAL_MESSAGES.missing).id),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.title ?? "연구 제안", "관리"] });

export default function ProposalPage({ loaderData: page }: Route.ComponentProps) {
  const { number, title, call, status, dueDay, isOverdue, submittedDate, decidedDate, reason } = page;
  const { changed, checks, reviews, history, commands } = page;
  return (
    <>
      <ConsoleHeader
        title={title}
        description={[number, call.title].join(" · ")}
        parent={{ label: "연구 제안", href: OFFICE_PROPOSALS }}
        action={<OfficeActs page={page} />}
      />
      <DescriptionList
        items={[
          ["상태", <ProposalBadge key="status" status={status} />],
          ...(dueDay ? [["기한", <DueDay key="due" day={dueDay} isOverdue={isOverdue} />] as const] : []),
          ["제출", submittedDate && <Time key="submitted" date={submittedDate} format="datetime" />],
          ...(decidedDate ? [["결정", <Time key="decided" date={decidedDate} format="datetime" />] as const] : []),
          ...(hasReason(status) && reason
            ? [
                [
                  "사유",
                  <span key="reason" className="whitespace-pre-line">
                    {reason}
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
      {checks.length > 0 && (
        <ConsoleSection title="형식 검토">
          <CheckForm key={page.version} page={page} />
        </ConsoleSection>
      )}
      <ConsoleSection title="심의" action={commands.includes("nameReviewer") && <NameReviewerButton page={page} />}>
        <ScoreFacts page={page} />
        <div className="mt-4">
          <ListTable
            caption="심의위원"
            columns={columnsOf(page)}
            rows={reviews}
            keyOf={({ id }) => id}
            emptyText="지정한 심의위원이 없습니다."
          />
        </div>
      </ConsoleSection>
      <ConsoleSection title="제안서">
        {changed.length > 0 && (
          <Alert className="mb-5" title="보완을 요청한 뒤에 고친 곳에는 ‘고침’이라고 표시하였습니다." />
        )}
        <ProposalTextPart text={page} changed={changed} />
      </ConsoleSection>
      <ConsoleSection title="진행 기록">
        <ProposalHistory rows={history} />
      </ConsoleSection>
    </>
  );
}

const columnsOf = ({ id, round, criteria, commands }: ProposalCase): ListColumn<CaseReview>[] => [
  { head: "심의위원", className: "max-md:font-semibold whitespace-nowrap", renderCell: ({ userName }) => userName },
  labelled("차수", (review) => (review.round > 1 ? "재심의" : "심의"), "whitespace-nowrap"),
  labelled("상태", ({ status }) => <StateBadge desk={REVIEW_DESK} state={status} />, "whitespace-nowrap"),
  labelled("점수", ({ scores, total }) =>
    total === null ? (
      "-"
    ) : (
      <>
        <strong className="tabular">{total}점</strong>
        <ul className="tabular text-sm text-gray-60">
          {criteria.map(({ code, name, points }) => (
            <li key={code}>
              {name} {lookUp(scores, code) ?? "-"}/{points}
            </li>
          ))}
        </ul>
      </>
    ),
  ),
  labelled("의견", ({ opinion, reason }) => <span className="whitespace-pre-line">{opinion || reason || "-"}</span>),
  {
    head: "관리",
    hidesHead: true,
    renderCell: (review) =>
      commands.includes("dropReviewer") &&
      review.round === round &&
      (review.status === "asked" || review.status === "accepted") && <DropReviewerButton id={id} review={review} />,
  },
];
