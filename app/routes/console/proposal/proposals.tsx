import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, SearchedTable } from "#app/features/list/searched-list.tsx";
import { DueDay, ProposalBadge } from "#app/features/proposal/marks.tsx";
import { OFFICE_PROPOSALS, officeProposalHref } from "#app/features/proposal/proposal-paths.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { PROPOSAL_FILTERS } from "#worker/contract/proposal/fields.ts";
import { listProposalsQuery } from "#worker/contract/proposal/input.ts";
import type { ProposalRow } from "#worker/contract/proposal/view.ts";
import { listProposals } from "#worker/domain/proposal/office.server.ts";
import type { Route } from "./+types/proposals";

export const loader = searchedListLoader(listProposalsQuery, listProposals);

const COLUMNS: ListColumn<ProposalRow>[] = [
  labelled("번호", ({ number }) => number, "tabular whitespace-nowrap"),
  {
    head: "제목",
    className: "max-md:font-semibold md:max-w-md",
    renderCell: ({ id, title }) => <TextLink to={officeProposalHref(id)}>{title}</TextLink>,
  },
  labelled("연구책임자", ({ userName, affiliation }) => [userName, affiliation].filter(Boolean).join(" · ")),
  labelled("공모", ({ callTitle }) => callTitle),
  labelled("상태", ({ status }) => <ProposalBadge status={status} />, "whitespace-nowrap"),
  labelled(
    "심의",
    ({ reviewers, reviewed }) => (reviewers > 0 ? `${reviewed}/${reviewers}` : "-"),
    "whitespace-nowrap",
  ),
  labelled("제출", ({ submittedDate }) => submittedDate && <Time date={submittedDate} />, "text-sm whitespace-nowrap"),
  labelled(
    "기한",
    ({ dueDay, isOverdue }) => (dueDay ? <DueDay day={dueDay} isOverdue={isOverdue} /> : "-"),
    "text-sm",
  ),
];

export default function ProposalsPage({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="회원이 제출한 제안서입니다. 이해관계가 있는 제안서는 보이지 않습니다." />
      <SearchedTable
        name="제안서"
        path={OFFICE_PROPOSALS}
        fields={PROPOSAL_FILTERS}
        kept={["callId"]}
        list={list}
        filterClassName="md:grid-cols-5"
        table={{
          columns: COLUMNS,
          keyOf: ({ id }) => id,
          emptyText: "제출된 제안서가 없습니다.",
          className: "md:min-w-[60rem]",
        }}
      />
    </>
  );
}
