import { labelled, type ListColumn, PagedTable } from "#app/features/list/searched-list.tsx";
import { PROJECTS } from "#app/features/proposal/proposal-paths.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Time } from "#app/ui/inline.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { listProjectsQuery } from "#worker/contract/proposal/input.ts";
import type { ApprovedProject } from "#worker/contract/proposal/view.ts";
import { listApprovedProjects } from "#worker/domain/proposal/project.server.ts";
import type { Route } from "./+types/projects";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listProjectsQuery, (query) => listApprovedProjects(scope, query)),
);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: "승인된 연구과제", path: PROJECTS, hasEnglish: false });

const COLUMNS: ListColumn<ApprovedProject>[] = [
  labelled("번호", ({ number }) => number, "tabular whitespace-nowrap"),
  {
    head: "연구 제목",
    className: "max-md:font-semibold",
    renderCell: ({ title, englishTitle }) => (
      <>
        {title}
        {englishTitle && (
          <span lang="en" className="block text-sm font-normal text-gray-60">
            {englishTitle}
          </span>
        )}
      </>
    ),
  },
  labelled("연구책임자", ({ userName, affiliation }) => [userName, affiliation].filter(Boolean).join(" · ")),
  labelled("공모", ({ callTitle }) => callTitle),
  labelled(
    "승인",
    ({ approvedDay }) => <Time date={startOfKoreanDay(approvedDay).toISOString()} />,
    "text-sm whitespace-nowrap",
  ),
];

export default function ProjectsPage({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="승인된 연구과제"
        description="심의를 거쳐 승인된 연구과제입니다."
        parents={[{ label: "연구 제안", href: "/research/proposal" }]}
      />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        <PagedTable
          name="승인된 연구과제"
          path={PROJECTS}
          list={list}
          columns={COLUMNS}
          keyOf={({ number }) => number}
          emptyText="승인된 연구과제가 없습니다."
        />
      </div>
    </>
  );
}
