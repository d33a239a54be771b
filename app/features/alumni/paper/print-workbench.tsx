import Printer from "lucide-react/icons/printer";
import { useEffect, useState } from "react";
import {
  FIRST_PRINT_CHOICE,
  plannedPages,
  type PrintChoice,
  type PrinterShift,
  readPrinterShift,
  sheetForChoice,
} from "#app/features/alumni/paper/print-choice.ts";
import { PrintForm } from "#app/features/alumni/paper/print-form.tsx";
import { PrintedPages } from "#app/features/alumni/paper/printed-pages.tsx";
import { QuestionButton, REASON_HINT } from "#app/features/form/question.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { useWords } from "#app/lib/use-words.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { type AlumniSettingsView, bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import type { AlumniSelection } from "#worker/contract/alumni/list.ts";
import {
  LEFT_OUT_NAMES,
  needsAddress,
  perSheet,
  PRINT_KIND_LABELS,
  PRINT_PEOPLE_MAX,
  type PrintedPeople,
  sheetCount,
} from "#worker/contract/alumni/paper.ts";
import { keptText } from "#app/lib/kept-text.ts";
import type { PrintCounts } from "#worker/domain/alumni/print.server.ts";

interface SiteContact {
  site: { contact: { organization: string; address: string } };
}

interface PrintWorkbenchProps {
  segment: AlumniSelection;
  view: AlumniSettingsView;
}

/** Choices that require loading the people again. */
const ASKS_ANEW = ["kind", "order", "columns"] as const;

/** Shows the count first, asks for a reason, then shows the pages. */
export function PrintWorkbench({ segment, view }: PrintWorkbenchProps) {
  const contact = useRootData<SiteContact>()?.site.contact;
  const fields = bookFields(view);
  const [shift, keepShift] = usePrinterShift();
  const [chosen, setChoice] = useState<PrintChoice>({
    ...FIRST_PRINT_CHOICE,
    sender: [contact?.organization, contact?.address].filter(Boolean).join("\n"),
  });
  const [printed, setPrinted] = useState<PrintedPeople | null>(null);
  const { counts, message } = usePrintCounts(segment);
  const choice = { ...chosen, ...shift };
  const change = (next: Partial<PrintChoice>) => {
    const { shiftX, shiftY, ...others } = next;
    if (shiftX !== undefined || shiftY !== undefined)
      keepShift({ shiftX: shiftX ?? shift.shiftX, shiftY: shiftY ?? shift.shiftY });
    setChoice({ ...chosen, ...others });
    if (ASKS_ANEW.some((key) => key in next)) setPrinted(null);
  };
  return (
    <>
      <PrintForm choice={choice} fields={fields} onChange={change} />
      <ErrorAlert className="mt-6">{message}</ErrorAlert>
      {counts && !printed && <Plan choice={choice} counts={counts} segment={segment} onPrinted={setPrinted} />}
      {printed && <Preview choice={choice} printed={printed} view={view} />}
    </>
  );
}

function usePrintCounts(segment: AlumniSelection) {
  const { run, message } = useAction({ reloads: "never" });
  const [counts, setCounts] = useState<PrintCounts | null>(null);
  const key = JSON.stringify(segment);
  useEffect(() => {
    void run(async () => {
      setCounts(
        await callApi(api.alumni["print-count"].$post({ json: { segment: JSON.parse(key) as AlumniSelection } })),
      );
    }, null);
    // oxlint-disable-next-line react/exhaustive-deps -- asked once for each segment
  }, [key]);
  return { counts, message };
}

interface PlanProps {
  choice: PrintChoice;
  counts: PrintCounts;
  segment: AlumniSelection;
  onPrinted: (printed: PrintedPeople) => void;
}

function Plan({ choice, counts, segment, onPrinted }: PlanProps) {
  const { people, pages } = plannedPages(choice, counts);
  const without = counts.total - counts.withAddress;
  const { kind, columns, order } = choice;
  const count = `${formatCount(people)}명`;
  const question = {
    label: "만들기",
    title: `${PRINT_KIND_LABELS[kind]}에 넣을 ${count}의 정보를 불러오시겠습니까?`,
    reasonHint: REASON_HINT,
    reloads: "never" as const,
    work: (reason: string) =>
      callApi(api.alumni["print-data"].$post({ json: { segment, kind, columns, order, reason } })),
    done: null,
    onDone: onPrinted,
  };
  const isTooMany = counts.total > PRINT_PEOPLE_MAX;
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-gray-5 px-4 py-4">
      <p role="status" className="mr-auto">
        <strong className="tabular">{count}</strong>
        {pages !== null && (
          <>
            , <strong className="tabular">{formatCount(pages)}장</strong>
          </>
        )}
        {needsAddress(kind) && without > 0 && (
          <span className="text-gray-70"> · 주소를 알 수 없는 {formatCount(without)}명은 빠집니다.</span>
        )}
        {isTooMany && (
          <span className="text-danger-60"> · 한 번에 {formatCount(PRINT_PEOPLE_MAX)}명까지 인쇄할 수 있습니다.</span>
        )}
      </p>
      <QuestionButton question={question} variant="primary" disabled={people === 0 || isTooMany}>
        인쇄할 쪽 만들기
      </QuestionButton>
    </div>
  );
}

interface PreviewProps {
  choice: PrintChoice;
  printed: PrintedPeople;
  view: AlumniSettingsView;
}

function Preview({ choice, printed: { people, leftOut }, view }: PreviewProps) {
  const say = useWords();
  const sheet = sheetForChoice(choice);
  const pages = sheet ? sheetCount(people.length, perSheet(sheet), choice.start) : null;
  const more = leftOut.count - leftOut.names.length;
  return (
    <section aria-labelledby="print-preview" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="print-preview" className="mr-auto text-xl">
          미리보기{" "}
          <span className="tabular text-base font-normal text-gray-70">
            {formatCount(people.length)}명{pages !== null && `, ${formatCount(pages)}장`}
          </span>
        </h2>
        <Button variant="primary" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          인쇄
        </Button>
      </div>
      {leftOut.count > 0 && (
        <Alert tone="warning" className="mb-4" title={`주소를 알 수 없어 빠진 ${formatCount(leftOut.count)}명`}>
          {leftOut.names.join(", ")}
          {more > 0 && ` 외 ${formatCount(more)}명`}
          {leftOut.count > LEFT_OUT_NAMES && " (가나다순으로 일부만 보입니다.)"}
        </Alert>
      )}
      <p className="mb-3 text-sm text-gray-60">
        인쇄 창에서 배율은 100%(실제 크기), 여백은 기본값으로 두십시오. 처음에는 흰 종이에 한 장만 찍어 칸에 맞대어
        보십시오.
      </p>
      <div role="region" aria-label="인쇄할 쪽" tabIndex={0} className="paper paper-screen">
        <PrintedPages people={people} choice={choice} title={say("{동문} 명부")} own={view.own} />
      </div>
    </section>
  );
}

const kept = keptText("printerShift");
const store = (shift: PrinterShift) => kept.store(JSON.stringify(shift));

/** The printer offset is measured once per machine and kept by the browser. */
const usePrinterShift = (): [PrinterShift, (shift: PrinterShift) => void] => [readPrinterShift(kept.useText()), store];
