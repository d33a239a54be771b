import { useWords } from "#app/lib/use-words.ts";
import { type LinksFunction, useLocation } from "react-router";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { OwnFieldsProvider } from "#app/features/alumni/column-label.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { PrintWorkbench } from "#app/features/alumni/paper/print-workbench.tsx";
import { readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { getPrintPage } from "#worker/domain/alumni/print.server.ts";
import type { Route } from "./+types/print";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: paperCss }];

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  view: getPrintPage(await scope.context()),
}));

export const meta = titledMeta("{동문} 인쇄");

export default function AlumniPrint({ loaderData: { view } }: Route.ComponentProps) {
  const say = useWords();
  const handed = readHandedSegment(useLocation().state);
  const hydrated = useIsHydrated();
  const whom = !hydrated || !handed ? "" : `주소록에서 고른 ${formatCount(handed.count)}명을 `;
  return (
    <OwnFieldsProvider own={view.own}>
      <AlumniPageHeader
        title="{동문} 인쇄"
        description={`${whom}주소 라벨과 봉투, 이름표, 기수별 명부로 인쇄합니다. 누가, 언제, 왜, 몇 명을 인쇄하였는지 기록에 남습니다.`}
      />
      <div className="container-page pt-8 pb-16 md:pb-24">
        {hydrated && handed && <PrintWorkbench segment={handed.segment} view={view} />}
        {hydrated && !handed && (
          <Empty
            className="border-y border-gray-20"
            action={
              <ButtonLink to="/Alumni" size="sm">
                {say("{동문주소록}")}
              </ButtonLink>
            }
          >
            {say("{동문주소록}에서 인쇄할 사람을 찾거나 고른 뒤 ‘인쇄’를 눌러 주십시오.")}
          </Empty>
        )}
      </div>
    </OwnFieldsProvider>
  );
}
