import { useState } from "react";
import type { LinksFunction } from "react-router";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { FIRST_PRINT_CHOICE, type PrintChoice } from "#app/features/alumni/paper/print-choice.ts";
import { PrintPreview } from "#app/features/alumni/paper/print-preview.tsx";
import { FirstPlaceField, ShiftFields, usePrinterShift } from "#app/features/alumni/paper/sheet-fields.tsx";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { eventHref, eventParam } from "#app/features/event/event-paths.ts";
import { QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Empty } from "#app/ui/empty.tsx";
import { PRINT_KIND_LABELS, type PrintedPerson, sheetOf } from "#worker/contract/alumni/paper.ts";
import { PLACE_TAKEN } from "#worker/contract/event/event.ts";
import { getEventFigures } from "#worker/domain/event/figures.server.ts";
import type { Route } from "./+types/name-tags";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: paperCss }];

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const { item, counts } = await getEventFigures(scope, readEventPath(params));
  return { item, people: PLACE_TAKEN.reduce((sum, status) => sum + counts[status], 0) };
});

const TITLE = "이름표 인쇄";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.item.title ?? "행사 신청", TITLE, "관리"] });

export default function NameTagsPage({ loaderData: { item, people } }: Route.ComponentProps) {
  const [shift, keepShift] = usePrinterShift();
  const [start, setStart] = useState(1);
  const [printed, setPrinted] = useState<PrintedPerson[] | null>(null);
  const choice: PrintChoice = { ...FIRST_PRINT_CHOICE, kind: "card", columns: ["affiliation"], start, ...shift };
  const change = ({ start: first = start, ...moved }: Partial<PrintChoice>) => {
    setStart(first);
    keepShift({ ...shift, ...moved });
  };
  return (
    <>
      <ConsoleHeader
        title={TITLE}
        description={`자리가 있는 사람의 이름과 소속을 ${sheetOf("card").label}에 찍습니다. 누가, 언제, 왜 인쇄하였는지 기록에 남습니다.`}
        parent={{ label: item.title, href: eventHref(item) }}
      />
      {people === 0 ? (
        <Empty className="border-y border-gray-20">자리가 있는 사람이 아직 없습니다.</Empty>
      ) : (
        <div className="space-y-5">
          <div className="grid gap-4 md:grid-cols-3">
            <FirstPlaceField choice={choice} onChange={change} />
          </div>
          <ShiftFields choice={choice} onChange={change} />
          {printed ? (
            <PrintPreview people={printed} choice={choice} title={PRINT_KIND_LABELS.card} own={[]} />
          ) : (
            <QuestionButton
              variant="primary"
              question={{
                label: "만들기",
                title: `${formatCount(people)}명의 이름과 소속을 불러오시겠습니까?`,
                reasonHint: REASON_HINT,
                reloads: "never",
                work: (reason: string) =>
                  callApi(
                    api.admin.event[":boardCode"][":itemNo"]["print-data"].$post({
                      param: eventParam(item),
                      json: { reason },
                    }),
                  ),
                done: null,
                onDone: setPrinted,
              }}
            >
              이름표 만들기
            </QuestionButton>
          )}
        </div>
      )}
    </>
  );
}
