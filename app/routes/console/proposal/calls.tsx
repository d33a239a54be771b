import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { CallPhaseBadge, CallTimes } from "#app/features/proposal/marks.tsx";
import { newCallHref, OFFICE_PROPOSALS, proposalCallHref } from "#app/features/proposal/proposal-paths.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { CALL_KINDS } from "#worker/contract/proposal/proposal.ts";
import type { CallRow } from "#worker/contract/proposal/view.ts";
import { listProposalCalls } from "#worker/domain/proposal/call.server.ts";
import type { Route } from "./+types/calls";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listProposalCalls(scope));

const COLUMNS: ListColumn<CallRow>[] = [
  {
    head: "공모",
    className: "max-md:font-semibold md:max-w-md",
    renderCell: ({ id, title }) => <TextLink to={proposalCallHref(id)}>{title}</TextLink>,
  },
  labelled("종류", ({ kind }) => CALL_KINDS[kind], "whitespace-nowrap"),
  labelled("접수 기간", (row) => <CallTimes {...row} />, "text-sm"),
  labelled("접수", ({ phase }) => <CallPhaseBadge phase={phase} />, "whitespace-nowrap"),
  labelled("제안서", ({ id, title, proposals }) =>
    proposals > 0 ? (
      <TextLink to={`${OFFICE_PROPOSALS}?callId=${id}`}>
        {formatCount(proposals)}건<span className="sr-only">: {title}</span>
      </TextLink>
    ) : (
      "0건"
    ),
  ),
];

export default function ProposalCallsPage({ loaderData: calls }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader
        description="제안서를 받는 공모입니다. 접수 기간과 양식, 서류, 심의 기준을 공모마다 정합니다."
        action={
          <ButtonLink size="sm" variant="primary" to={newCallHref()}>
            공모 추가
          </ButtonLink>
        }
      />
      <ListTable
        caption="공모"
        columns={COLUMNS}
        rows={calls}
        keyOf={({ id }) => id}
        emptyText="공모가 없습니다. ‘공모 추가’로 첫 공모를 만들어 주십시오."
      />
    </>
  );
}
