import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { formatCount, formatDate } from "#app/lib/format.ts";
import type { ImportTable } from "#app/features/alumni/import/import-table.ts";
import type { PreviewOptions } from "#app/features/alumni/import/send-import.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import {
  CELL_RULE_LABELS,
  type ConfirmedChoice,
  type EmptiedChoice,
  FAULT_DECISION_LABELS,
} from "#worker/contract/alumni/import/cell-changes.ts";
import { isNameMark, NAME_MARK_LABELS, type NameMark } from "#worker/contract/alumni/import/name-marks.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import type { BookColumn } from "#worker/contract/alumni/own-fields.ts";
import { type ImportPlace, rowLabel } from "#worker/contract/alumni/import/header.ts";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";

export interface ImportFactsProps {
  result: ImportResult;
  sources: readonly ImportPlace[];
  options: PreviewOptions;
  busy: boolean;
  onDecide: (options: PreviewOptions) => void;
}

/** A choice among people, compared when all are chosen. */
export type ImportChoiceProps = Omit<ImportFactsProps, "onDecide"> & { onChoose: (options: PreviewOptions) => void };

export const IMPORT_HEADING = "mb-3 text-lg";

/** A line break in one line of text. */
const withBreaks = (text: string) => text.replace(/\r\n?|\n/g, " ↵ ");

const markOf = (kind: string): NameMark | null => {
  const [, fault = ""] = kind.split(".");
  return isNameMark(fault) ? fault : null;
};

/** Marks in names, each kind decided for all its rows. */
export function ImportNameMarks(props: ImportFactsProps) {
  const { proposed } = props.result;
  return (
    <FaultKinds
      {...props}
      id="marks"
      title={`이름에 함께 적힌 말 정하기${proposed > 0 ? ` ${formatCount(proposed)}명` : ""}`}
      hint="정하시기 전에는 가져오지 않습니다. 정하신 것은 같은 양식의 다음 파일에도 씁니다."
      isListed={(kind) => markOf(kind) !== null}
    />
  );
}

export function ImportFaultKinds(props: ImportFactsProps) {
  const isFault = (kind: string) => markOf(kind) === null;
  return <FaultKinds {...props} id="faults" title="같은 오류를 한꺼번에 정하기" isListed={isFault} />;
}

interface FaultKindsProps extends ImportFactsProps {
  id: string;
  title: string;
  hint?: string;
  isListed: (kind: string) => boolean;
}

function FaultKinds({ result, sources, options, busy, onDecide, id, title, hint, isListed }: FaultKindsProps) {
  const labelOf = useColumnLabel();
  const open = result.faults.filter(({ kind, choices }) => choices.length > 0 && isListed(kind));
  const decided = Object.keys(options.decisions).filter(isListed);
  if (open.length === 0 && decided.length === 0) return null;
  const subjectOf = (kind: string) => {
    const mark = markOf(kind);
    return mark ? NAME_MARK_LABELS[mark] : labelOf(kind.split(".")[0] as BookColumn);
  };
  const decisionLabel = (kind: string) => {
    const decision = options.decisions[kind];
    return `${subjectOf(kind)}: ${decision ? FAULT_DECISION_LABELS[decision] : ""}`;
  };
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className={IMPORT_HEADING}>
        {title}
      </h2>
      {hint && <p className="mb-3 text-sm text-gray-70">{hint}</p>}
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {open.map(({ kind, message, count, samples, choices }) => (
          <li key={`${kind} ${message}`} className="py-3">
            <p className="font-semibold text-gray-90">
              {subjectOf(kind)} {formatCount(count)}칸:{" "}
              <span className={markOf(kind) ? "text-gray-70" : "text-danger-60"}>{message}</span>
            </p>
            <FaultSamples samples={samples.slice(0, SAMPLES_SHOWN)} sources={sources} />
            {samples.length > SAMPLES_SHOWN && (
              <details className="text-sm text-gray-70">
                <summary className="min-h-11 cursor-pointer py-3 font-semibold">
                  {count > samples.length ? `처음 ${formatCount(samples.length)}칸` : "모두"} 보기
                </summary>
                <FaultSamples samples={samples.slice(SAMPLES_SHOWN)} sources={sources} />
              </details>
            )}
            <div className="mt-2 flex flex-wrap gap-2">
              {choices.map((choice) => (
                <Button
                  key={choice}
                  size="sm"
                  disabled={busy}
                  onClick={() => onDecide({ ...options, decisions: { ...options.decisions, [kind]: choice } })}
                >
                  {FAULT_DECISION_LABELS[choice]}
                </Button>
              ))}
            </div>
          </li>
        ))}
        {decided.map((kind) => (
          <li key={`decided ${kind}`} className="flex flex-wrap items-center justify-between gap-2 py-3">
            <span>적용: {decisionLabel(kind)}</span>
            <Button
              size="sm"
              variant="quiet"
              disabled={busy}
              onClick={() =>
                onDecide({
                  ...options,
                  decisions: Object.fromEntries(Object.entries(options.decisions).filter(([each]) => each !== kind)),
                })
              }
            >
              되돌리기
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SAMPLES_SHOWN = 3;

function FaultSamples({
  samples,
  sources,
}: Pick<ImportResult["faults"][number], "samples"> & Pick<ImportFactsProps, "sources">) {
  return (
    <ul className="mt-1 text-sm break-words text-gray-60">
      {samples.map(({ row, value, parts }) => (
        <li key={row}>
          {rowLabel(sources, row)} ‘{withBreaks(value)}’{parts && ` → ${parts}`}
        </li>
      ))}
    </ul>
  );
}

const EMPTIED_OPTIONS = [
  { value: "keep", label: "주소록의 값을 그대로 두기" },
  { value: "clear", label: "파일처럼 비우기" },
];

/** Fields that are empty in the file but filled in the book need an explicit decision. */
export function ImportEmptiedChoice({ result, sources, options, busy, onDecide }: ImportFactsProps) {
  const labelOf = useColumnLabel();
  const { count, samples } = result.emptied;
  if (count === 0) return null;
  return (
    <section aria-labelledby="emptied" className="mt-8">
      <h2 id="emptied" className={IMPORT_HEADING}>
        파일에서 비어 있는 칸 {formatCount(count)}개
      </h2>
      <p className="mb-2 text-sm text-gray-60">
        {samples
          .slice(0, 3)
          .map(({ row, name, field, before }) => `${rowLabel(sources, row)} ${name} ${labelOf(field)} ‘${before}’`)
          .join(", ")}
      </p>
      <RadioGroup
        legend="주소록에는 값이 있는데 파일에서는 빈 칸입니다"
        name="emptied"
        options={EMPTIED_OPTIONS}
        value={options.emptied === "byId" ? "" : options.emptied}
        onChange={(value) => !busy && onDecide({ ...options, emptied: value as EmptiedChoice })}
      />
    </section>
  );
}

const CONFIRMED_OPTIONS = [
  { value: "keep", label: "주소록의 값을 그대로 두기" },
  { value: "take", label: "파일의 값으로 바꾸기" },
];

const CONFIRMED_BY = { person: "본인", representative: "기수 대표" } as const;

/** Values that were confirmed after the file was saved, next to the file's values. */
export function ImportConfirmedChoice({ result, sources, options, busy, onDecide }: ImportFactsProps) {
  const labelOf = useColumnLabel();
  const { savedDate, count, samples } = result.confirmed;
  if (count === 0) return null;
  const columns: ListColumn<(typeof samples)[number]>[] = [
    { head: "행", className: "md:whitespace-nowrap", renderCell: ({ row }) => rowLabel(sources, row) },
    { head: "이름", className: "font-semibold whitespace-nowrap text-gray-90", renderCell: ({ name }) => name },
    { head: "항목", className: "whitespace-nowrap", renderCell: ({ field }) => labelOf(field) },
    labelled("주소록의 값", ({ before }) => before || "(빈칸)"),
    labelled("파일의 값", ({ after }) => after || "(빈칸)"),
    labelled("확인", ({ by, date }) => `${CONFIRMED_BY[by]} ${formatDate(date)}`, "whitespace-nowrap"),
  ];
  return (
    <section aria-labelledby="confirmed" className="mt-8">
      <h2 id="confirmed" className={IMPORT_HEADING}>
        파일보다 나중에 확인된 값 {formatCount(count)}개
      </h2>
      <p className="mb-3 text-sm text-gray-70">
        {savedDate === null
          ? "파일이 언제 저장되었는지 알 수 없어, 본인이나 기수 대표가 확인한 값은 모두 그대로 둡니다."
          : `이 파일은 ${formatDate(savedDate)}에 저장되었고, 아래 값은 그 뒤에 본인이나 기수 대표가 확인했습니다.`}
      </p>
      <PagedRows rows={samples} label="나중에 확인된 값">
        {(page) => (
          <ListTable
            caption="나중에 확인된 값"
            columns={columns}
            rows={page}
            keyOf={({ row, field }) => `${row} ${field}`}
          />
        )}
      </PagedRows>
      {count > samples.length && (
        <p className="mt-2 text-sm text-gray-60">처음 {formatCount(samples.length)}개를 보여 드립니다.</p>
      )}
      <div className="mt-4">
        <RadioGroup
          legend="나중에 확인된 값"
          name="confirmed"
          options={CONFIRMED_OPTIONS}
          value={options.confirmed}
          onChange={(value) => !busy && onDecide({ ...options, confirmed: value as ConfirmedChoice })}
        />
      </div>
    </section>
  );
}

export function ImportRules({
  result,
  sources,
  sentences,
}: Pick<ImportFactsProps, "result" | "sources"> & Pick<ImportTable, "sentences">) {
  const labelOf = useColumnLabel();
  const { rules, asTyped } = result;
  if (rules.length === 0 && asTyped.length === 0 && sentences.length === 0) return null;
  const columns: ListColumn<(typeof rules)[number]["samples"][number]>[] = [
    { head: "행", className: "whitespace-nowrap", renderCell: ({ row }) => rowLabel(sources, row) },
    { head: "파일의 값", className: "whitespace-pre-wrap", renderCell: ({ before }) => before },
    {
      head: "저장되는 값",
      className: "whitespace-pre-wrap",
      renderCell: ({ after }) => after || "(빈칸)",
    },
  ];
  const total = rules.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="rules" className="mt-8">
      <h2 id="rules" className={IMPORT_HEADING}>
        파일과 다르게 저장되는 값 {formatCount(total)}개
      </h2>
      {rules.map(({ rule, field, count, samples }) => (
        <details key={`${rule} ${field}`} className="border-b border-gray-20">
          <summary className="min-h-11 cursor-pointer py-2.5">
            <span className="font-semibold text-gray-90">{labelOf(field)}</span> {CELL_RULE_LABELS[rule]}{" "}
            {formatCount(count)}개{" "}
            <span className="text-sm text-gray-60">
              예: {withBreaks(samples[0]?.before ?? "")} → {withBreaks(samples[0]?.after ?? "") || "(빈칸)"}
            </span>
          </summary>
          <ListTable
            caption={`${labelOf(field)} ${CELL_RULE_LABELS[rule]}`}
            columns={columns}
            rows={samples}
            keyOf={({ row }) => row}
            cards={false}
          />
        </details>
      ))}
      {sentences.map((sentence) => (
        <p key={sentence} className="mt-3 text-sm break-keep text-gray-70">
          {sentence}
        </p>
      ))}
      {asTyped.length > 0 && (
        <p className="mt-3 text-sm text-gray-70">
          번호 하나로 읽을 수 없어 적힌 대로 두는 전화:{" "}
          {asTyped.map(({ row, before }) => `${rowLabel(sources, row)} ‘${before}’`).join(", ")}
        </p>
      )}
    </section>
  );
}
