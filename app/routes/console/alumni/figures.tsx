import { useWords } from "#app/lib/use-words.ts";
import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import { type LinksFunction, useLocation } from "react-router";
import figuresCss from "#app/features/alumni/figures/figures.css?url";
import { AlumniFiguresView } from "#app/features/alumni/figures/figures-view.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { type HandedSegment, readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { QuestionDialog, REASON_HINT } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import type { AlumniFigures } from "#worker/contract/alumni/figures.ts";
import { getAlumniFigures } from "#worker/domain/alumni/figures.server.ts";
import type { Route } from "./+types/figures";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: paperCss },
  { rel: "stylesheet", href: figuresCss },
];

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const figures = await getAlumniFigures(scope);
  return { figures, date: scope.now().toISOString() };
});

export const meta = titledMeta("{동문주소록} 통계", "관리");

export default function AlumniFiguresPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const handed = readHandedSegment(useLocation().state);
  const hydrated = useIsHydrated();
  const [counted, setCounted] = useState<AlumniFigures | null>(null);
  const figures = counted ?? loaderData.figures;
  return (
    <>
      <ConsoleHeader
        title={say("{동문주소록} 통계")}
        description="기수와 지역, 소속, 졸업연도, 연락 수단과 등록 흐름을 봅니다. 인쇄하면 A4 두 쪽에 들어갑니다."
        links={[{ label: say("{동문주소록}"), href: "/Alumni" }]}
        action={
          <Button size="sm" variant="primary" className="needs-script" onClick={() => window.print()}>
            <Printer aria-hidden="true" className="size-4.5" />
            인쇄
          </Button>
        }
      />
      {hydrated && handed && <SegmentBar handed={handed} counted={counted !== null} onCounted={setCounted} />}
      <AlumniFiguresView
        figures={figures}
        whose={say(counted ? "고른 {동문}" : "{동문주소록} 전체")}
        date={loaderData.date}
      />
    </>
  );
}

interface SegmentBarProps {
  handed: HandedSegment;
  counted: boolean;
  onCounted: (figures: AlumniFigures | null) => void;
}

/** Counts the people of the list the visitor came from; the audit log keeps the reason. */
function SegmentBar({ handed: { segment, count }, counted, onCounted }: SegmentBarProps) {
  const [open, setOpen] = useState(!counted);
  const question = {
    label: "통계 보기",
    title: `주소록에서 고른 ${formatCount(count)}명의 통계를 보시겠습니까?`,
    reasonHint: REASON_HINT,
    reloads: "never" as const,
    work: (reason: string) => callApi(api.alumni.figures.$post({ json: { segment, reason } })),
    done: null,
    onDone: onCounted,
  };
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3 rounded-lg bg-primary-5 px-4 py-3">
      <p className="mr-auto" role="status">
        {counted ? "주소록에서 고른 사람들의 통계입니다." : "지금은 주소록 전체의 통계를 보고 있습니다."}
      </p>
      {counted ? (
        <Button size="sm" onClick={() => onCounted(null)}>
          전체 통계 보기
        </Button>
      ) : (
        <Button size="sm" onClick={() => setOpen(true)}>
          고른 {formatCount(count)}명의 통계 보기
        </Button>
      )}
      <QuestionDialog question={open ? question : null} onClose={() => setOpen(false)} />
    </div>
  );
}
