import { CohortPeople } from "#app/features/alumni/cohort/cohort-people.tsx";
import { useListSearch } from "#app/features/list/searched-list.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Empty } from "#app/ui/empty.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { COHORT_PATH, type CohortShown } from "#worker/contract/alumni/representative.ts";
import { listCohortQuery } from "#worker/contract/alumni/representative-input.ts";
import { listCohort } from "#worker/domain/alumni/cohort.server.ts";
import type { Route } from "./+types/cohort";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listCohortQuery, (query) => listCohort(scope, query, "page")),
);

export const meta = titledMeta("기수 대표");

const SHOWN_LABELS: Record<CohortShown, string> = { unreached: "메일이 닿지 않는 사람", all: "모두" };

export default function CohortRoute({ loaderData: list }: Route.ComponentProps) {
  const { href } = useListSearch(COHORT_PATH);
  const { cohort, cohorts, shown } = list;
  const path = (search: Record<string, string>) => `${COHORT_PATH}?${new URLSearchParams(search)}`;
  return (
    <>
      <PageHeader
        title={cohort === null ? "기수 대표" : `${cohort}기 대표`}
        description="같은 기수의 달라진 연락처와 소속을 알려 주십시오. 사무국이 확인한 뒤에 주소록에 반영합니다."
      />
      <div className="container-page pt-4 pb-16 md:pt-6 md:pb-24">
        {cohort === null ? (
          <Empty className="border-y border-gray-20">맡으신 기수가 없습니다.</Empty>
        ) : (
          <SigninGate className="min-w-0">
            {cohorts.length > 1 && (
              <Tabs
                label="맡은 기수"
                tabs={cohorts.map((each) => ({
                  label: `${each}기`,
                  href: path({ cohort: String(each), shown }),
                  current: each === cohort,
                }))}
              />
            )}
            <Tabs
              label="볼 사람"
              tabs={(["unreached", "all"] as const).map((each) => ({
                label: SHOWN_LABELS[each],
                href: path({ cohort: String(cohort), shown: each }),
                current: each === shown,
              }))}
            />
            <p role="status" className="tabular my-4 text-gray-70">
              {formatCount(list.totalElements)}명
            </p>
            <CohortPeople people={list.content} fields={list.fields} shown={shown} />
            <Pager list={list} href={href} label="기수 페이지 이동" />
          </SigninGate>
        )}
      </div>
    </>
  );
}
