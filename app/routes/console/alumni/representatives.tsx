import { CorrectionQueue } from "#app/features/alumni/cohort/correction-queue.tsx";
import { AppointButton, RepresentativeList } from "#app/features/alumni/cohort/representative-list.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { listCorrectionsQuery } from "#worker/contract/alumni/representative-input.ts";
import { countWaitingCorrections, listCorrections } from "#worker/domain/alumni/correction.server.ts";
import { listRepresentatives } from "#worker/domain/alumni/representative.server.ts";
import type { Route } from "./+types/representatives";

const PATH = "/Admin/Representatives";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const state = new URL(request.url).searchParams.get("state");
  const shown = state === "waiting" || state === "decided" ? state : null;
  const [list, representatives, waiting] = await Promise.all([
    shown && loadSearchedList(request, listCorrectionsQuery, (query) => listCorrections(scope, query)),
    shown === null ? listRepresentatives(scope) : [],
    countWaitingCorrections(scope),
  ]);
  return { list, representatives, waiting, shown };
});

export const meta = titledMeta("기수 대표", "관리");

export default function RepresentativesPage({ loaderData }: Route.ComponentProps) {
  const { list, representatives, waiting, shown } = loaderData;
  const { href } = useListSearch(PATH);
  return (
    <>
      <ConsoleHeader
        title="기수 대표"
        description="대표는 맡은 기수만 보고, 고칠 내용을 알려 옵니다. 알려 온 요청은 비교하여 반영합니다."
        action={<AppointButton />}
      />
      <Tabs
        label="기수 대표와 수정 요청"
        tabs={[
          { label: "대표", href: PATH, current: shown === null },
          { label: `승인 대기 ${formatCount(waiting)}`, href: `${PATH}?state=waiting`, current: shown === "waiting" },
          { label: "처리한 요청", href: `${PATH}?state=decided`, current: shown === "decided" },
        ]}
      />
      <div className="mt-4">
        {list === null ? (
          <RepresentativeList representatives={representatives} />
        ) : (
          <>
            <h2 className="sr-only">수정 요청</h2>
            <CorrectionQueue
              corrections={list.content}
              emptyText={shown === "waiting" ? "기다리는 수정 요청이 없습니다." : "처리한 수정 요청이 없습니다."}
            />
            <Pager list={list} href={href} label="수정 요청 페이지 이동" />
          </>
        )}
      </div>
    </>
  );
}
