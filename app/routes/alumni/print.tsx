import { useRootData, useWords } from "#app/lib/page-language.ts";
import { type LinksFunction, useLocation } from "react-router";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { OwnFieldsProvider, useColumnLabel } from "#app/features/alumni/column-label.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { getPrintPage, type PrintCounts, type PrintedPeople } from "#worker/domain/alumni/print.server.ts";
import type { Route } from "./+types/print";
import { useEffect, useState } from "react";
import {
  FIRST_PRINT_CHOICE,
  plannedPages,
  type PrintChoice,
  usualColumns,
} from "#app/features/alumni/paper/print-choice.ts";
import { PrintPreview } from "#app/features/alumni/paper/print-preview.tsx";
import { FirstPlaceField, ShiftFields, usePrinterShift } from "#app/features/alumni/paper/sheet-fields.tsx";
import { QuestionButton, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { type AlumniSettingsView, bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { type LeftOut, leftOutText } from "#worker/contract/mail/letters.ts";
import type { AlumniSelection } from "#worker/contract/alumni/conditions.ts";
import {
  type EnvelopeName,
  ENVELOPES,
  LABEL_SHEET_NAMES,
  LEFT_OUT_NAMES,
  needsAddress,
  PRINT_KIND_LABELS,
  PRINT_KINDS,
  PRINT_ORDER_LABELS,
  PRINT_ORDERS,
  PRINT_PEOPLE_MAX,
  type PrintKind,
  printMeans,
  type PrintOrder,
  type SheetName,
  sheetOf,
} from "#worker/contract/alumni/paper.ts";
import { CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Select, Textarea } from "#app/ui/field.tsx";
import { isOfficeField } from "#worker/contract/alumni/columns.ts";
import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";

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

/** Choices that require loading the people again. */
const ASKS_ANEW = ["kind", "order", "columns"] as const;

/** Shows the count first, asks for a reason, then shows the pages. */
function PrintWorkbench({ segment, view }: { segment: AlumniSelection; view: AlumniSettingsView }) {
  const contact = useRootData<{ site: { contact: { organization: string; address: string } } }>()?.site.contact;
  const fields = bookFields(view);
  const [shift, keepShift] = usePrinterShift();
  const [chosen, setChoice] = useState<PrintChoice>({
    ...FIRST_PRINT_CHOICE,
    sender: [contact?.organization, contact?.address].filter(Boolean).join("\n"),
  });
  const [printed, setPrinted] = useState<PrintedPeople | null>(null);
  const { counts, message, recount } = usePrintCounts(segment);
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
      {counts && !printed && (
        <Plan choice={choice} counts={counts} segment={segment} onPrinted={setPrinted} onRefused={recount} />
      )}
      {printed && <Preview choice={choice} printed={printed} view={view} />}
    </>
  );
}

function usePrintCounts(segment: AlumniSelection) {
  const { run, message } = useAction({ reloads: "never" });
  const [counts, setCounts] = useState<PrintCounts | null>(null);
  const key = JSON.stringify(segment);
  const recount = () =>
    run(async () => {
      setCounts(
        await callApi(api.alumni["print-count"].$post({ json: { segment: JSON.parse(key) as AlumniSelection } })),
      );
    }, null);
  useEffect(() => {
    void recount();
    // oxlint-disable-next-line react/exhaustive-deps -- asked once for each segment
  }, [key]);
  return { counts, message, recount };
}

const sumOf = (excluded: readonly LeftOut[]) => excluded.reduce((sum, { count }) => sum + count, 0);

interface PlanProps {
  choice: PrintChoice;
  counts: PrintCounts;
  segment: AlumniSelection;
  onPrinted: (printed: PrintedPeople) => void;
  /** The people are no longer those that were counted. */
  onRefused: () => unknown;
}

function Plan({ choice, counts, segment, onPrinted, onRefused }: PlanProps) {
  const { people, pages } = plannedPages(choice, counts);
  const { kind, columns, order } = choice;
  const excluded = counts.excluded[printMeans(kind) === "post" ? "post" : "paper"];
  const all = counts.total + sumOf(counts.excluded.paper);
  const without = all - sumOf(excluded) - counts.withAddress;
  const count = `${formatCount(people)}명`;
  const question = {
    label: "만들기",
    title: `${PRINT_KIND_LABELS[kind]}에 넣을 ${count}의 정보를 불러오시겠습니까?`,
    reasonHint: REASON_HINT,
    reloads: "never" as const,
    work: (reason: string) =>
      callApi(api.alumni["print-data"].$post({ json: { segment, kind, columns, order, count: people, reason } })).catch(
        async (error: unknown) => {
          await onRefused();
          throw error;
        },
      ),
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
        {excluded.length > 0 && <span className="text-gray-70"> · {leftOutText(excluded)}</span>}
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

function Preview({ choice, printed: { people, leftOut, excluded }, view }: PreviewProps) {
  const say = useWords();
  const more = leftOut.count - leftOut.names.length;
  return (
    <PrintPreview people={people} choice={choice} title={say("{동문} 명부")} own={view.own}>
      {excluded.length > 0 && <Alert className="mb-4">{leftOutText(excluded)}</Alert>}
      {leftOut.count > 0 && (
        <Alert tone="warning" className="mb-4" title={`주소를 알 수 없어 빠진 ${formatCount(leftOut.count)}명`}>
          {leftOut.names.join(", ")}
          {more > 0 && ` 외 ${formatCount(more)}명`}
          {leftOut.count > LEFT_OUT_NAMES && " (가나다순으로 일부만 보입니다.)"}
        </Alert>
      )}
    </PrintPreview>
  );
}

interface PrintFormProps {
  choice: PrintChoice;
  fields: readonly AlumniFieldCode[];
  /** Changes to paper, columns or order require loading the people again. */
  onChange: (change: Partial<PrintChoice>) => void;
}

function PrintForm({ choice, fields, onChange }: PrintFormProps) {
  const labelOf = useColumnLabel();
  const columns = fields.filter((field) => field !== "name" && !isOfficeField(field) && !isPostal(choice.kind, field));
  return (
    <div className="space-y-5">
      <RadioGroup
        legend="종류"
        name="kind"
        options={PRINT_KINDS.map((value) => ({ value, label: PRINT_KIND_LABELS[value] }))}
        value={choice.kind}
        onChange={(value) => {
          const kind = value as PrintKind;
          onChange({
            kind,
            start: 1,
            columns: usualColumns(kind, fields),
            order: kind === "directory" ? "cohort" : "name",
          });
        }}
      />
      <div className="grid gap-4 md:grid-cols-3">
        {choice.kind === "label" && (
          <Field label="라벨 용지">
            <Select
              value={choice.sheet}
              options={LABEL_SHEET_NAMES.map((value) => ({ value, label: sheetOf(value).label }))}
              onChange={(event) => onChange({ sheet: event.target.value as SheetName, start: 1 })}
            />
          </Field>
        )}
        {choice.kind === "envelope" && (
          <Field label="봉투">
            <Select
              value={choice.envelope}
              options={Object.entries(ENVELOPES).map(([value, { label }]) => ({ value, label }))}
              onChange={(event) => onChange({ envelope: event.target.value as EnvelopeName })}
            />
          </Field>
        )}
        <Field label="차례">
          <Select
            value={choice.order}
            options={PRINT_ORDERS.map((value) => ({ value, label: PRINT_ORDER_LABELS[value] }))}
            onChange={(event) => onChange({ order: event.target.value as PrintOrder })}
          />
        </Field>
        <FirstPlaceField choice={choice} onChange={onChange} />
        {needsAddress(choice.kind) && (
          <Field label="이름 뒤에 붙일 말">
            <Select
              value={choice.suffix}
              options={["귀하", "님", "교수님", "원장님", { value: "", label: "붙이지 않음" }]}
              onChange={(event) => onChange({ suffix: event.target.value })}
            />
          </Field>
        )}
      </div>
      {choice.kind === "envelope" && (
        <Field label="보내는 사람" hint="봉투의 왼쪽 위에 찍힙니다. 비우면 찍지 않습니다.">
          <Textarea rows={3} value={choice.sender} onChange={(event) => onChange({ sender: event.target.value })} />
        </Field>
      )}
      <CheckboxGroup
        legend={needsAddress(choice.kind) ? "이름과 주소에 덧붙일 항목" : "이름에 덧붙일 항목"}
        name="columns"
        options={columns.map((value) => ({ value, label: labelOf(value) }))}
        value={choice.columns}
        onChange={(value) => onChange({ columns: value as AlumniFieldCode[] })}
      />
      <ShiftFields choice={choice} onChange={onChange} />
    </div>
  );
}

const isPostal = (kind: PrintKind, field: AlumniFieldCode) =>
  needsAddress(kind) && (field === "address" || field === "zipCode");
