import { CorrectionQueue } from "#app/features/alumni/cohort/correction-queue.tsx";
import { RepresentativeList } from "#app/features/alumni/cohort/representative-list.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { listCorrectionsQuery } from "#worker/contract/alumni/representative-input.ts";
import { listCorrections } from "#worker/domain/alumni/correction.server.ts";
import { listRepresentatives } from "#worker/domain/alumni/representative.server.ts";
import type { Route } from "./+types/representatives";

const PATH = "/Admin/Representatives";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [list, representatives] = await Promise.all([
    loadSearchedList(request, listCorrectionsQuery, (query) => listCorrections(scope, query)),
    listRepresentatives(scope),
  ]);
  const isWaiting = new URL(request.url).searchParams.get("state") !== "decided";
  return { list, representatives, isWaiting };
});

export const meta = titledMeta("기수 대표", "관리");

export default function RepresentativesPage({
  loaderData: { list, representatives, isWaiting },
}: Route.ComponentProps) {
  const { href } = useListSearch(PATH);
  return (
    <>
      <ConsoleHeader
        title="기수 대표"
        description="기수 대표가 알려 온 수정 요청을 비교하여 반영합니다. 대표는 맡은 기수만 봅니다."
      />
      <h2 className="mb-3 text-xl font-bold">수정 요청</h2>
      <Tabs
        label="수정 요청"
        tabs={[
          { label: "승인 대기", href: PATH, current: isWaiting },
          { label: "처리한 요청", href: `${PATH}?state=decided`, current: !isWaiting },
        ]}
      />
      <div className="mt-4">
        <CorrectionQueue
          corrections={list.content}
          emptyText={isWaiting ? "기다리는 수정 요청이 없습니다." : "처리한 수정 요청이 없습니다."}
        />
        <Pager page={list.page} totalPages={list.totalPages} href={href} label="수정 요청 페이지 이동" />
      </div>
      <section className="mt-12">
        <RepresentativeList representatives={representatives} />
      </section>
    </>
  );
}
