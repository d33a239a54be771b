import { useRef, useState } from "react";
import { readSheets } from "#app/features/alumni/import/dropped-files.ts";
import { retryLostCalls } from "#app/features/alumni/import/send-import.ts";
import { SheetDropZone } from "#app/features/alumni/import/sheet-drop-zone.tsx";
import type { HandedSegment } from "#app/features/alumni/segment-state.ts";
import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { leftOutSentence } from "#app/features/alumni/left-out-text.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { DUE_LIMITS, formatWon, namesById } from "#worker/contract/alumni/dues/dues.ts";
import { type PastFile, readPastFile } from "#worker/contract/alumni/dues/past-file.ts";
import type { OwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { choice, day, line } from "#worker/contract/kernel/row.ts";
import type { DuePlan } from "#worker/domain/alumni/dues/charge.server.ts";
import type { DuesPage } from "#worker/domain/alumni/dues/due.server.ts";

interface DueRunProps extends Pick<DuesPage, "kinds" | "begins" | "year"> {
  /** Null makes past dues of a file or of an own field of the address book. */
  handed: HandedSegment | null;
  onDone: () => void;
}

interface ShownPlan {
  period: string;
  ask: (count?: number) => Promise<DuePlan>;
  plan: DuePlan;
}

const FILE = "file";

async function readFile(file: File): Promise<PastFile> {
  const read = readPastFile(await readSheets(file));
  if (read.periods.size === 0)
    throw invalidInput({
      file: "이름과 연도 열을 찾지 못했습니다. 열 제목을 ‘이름’, ‘기수’, ‘2023’, ‘2024’처럼 적어 주십시오.",
    });
  return read;
}

/** Shows how many dues, how much, and who is left out, before it makes them. */
export function DueRun({ handed, kinds, begins, year, onDone }: DueRunProps) {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef(new Set<string>());
  const [source, setSource] = useState(FILE);
  const [file, setFile] = useState<PastFile | null>(null);
  const [shown, setShown] = useState<ShownPlan[]>([]);
  const { busy, run, fields, general } = useAction({ reloads: "never" });
  const open = kinds.filter(({ isClosed }) => !isClosed);
  const isFile = !handed && source === FILE;
  const controls = {
    kindId: choice("회비 종류", namesById(open), open[0]?.id),
    source: choice(
      "납부·미납·면제나 금액이 적힌 곳",
      { [FILE]: "엑셀 파일", ...Object.fromEntries(begins.map(({ value, label }) => [value, label])) },
      FILE,
    ),
    blank: choice("빈칸", { skip: "뺍니다", unpaid: "미납으로 둡니다" }, "skip"),
    period: line("연도", { max: DUE_LIMITS.period, start: year }),
    dueDay: day("납부 기한"),
  };
  const preview = async (read: PastFile | null) => {
    if (!form.current) return;
    const { kindId, blank, dueDay, ...given } = readRow(controls, new FormData(form.current));
    const period = given.period.trim();
    const sources = handed
      ? [{ period, segment: handed.segment, dueDay }]
      : isFile
        ? [...(read?.periods ?? [])].map(([each, words]) => ({ period: each, words }))
        : [{ period, fieldCode: source as OwnFieldCode }];
    const json = { kindId, isBlankUnpaid: blank === "unpaid" };
    const plans: ShownPlan[] = [];
    for (const each of sources) {
      const ask = (count?: number) => callApi(api.admin.due.charge.$post({ json: { ...json, ...each, count } }));
      plans.push({ period: each.period, ask, plan: await retryLostCalls(() => ask()) });
    }
    saved.current.clear();
    setShown(plans);
  };
  if (open.length === 0) return <Alert tone="warning">먼저 ‘회비 종류’에서 청구할 회비를 추가해 주십시오.</Alert>;
  const whom = handed?.count ? `주소록에서 고른 ${formatCount(handed.count)}명에게 청구` : "주소록 전체에 청구";
  const made = shown.filter(({ plan }) => plan.count > 0);
  const all = sumOf(made.map(({ plan }) => plan));
  return (
    <ConsoleSection title={handed ? whom : "지난 회비 옮기기"}>
      <form
        ref={form}
        className="grid items-end gap-4 md:grid-cols-4"
        onChange={({ currentTarget }) => {
          setShown([]);
          setSource(formText(new FormData(currentTarget), "source"));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => preview(file), null);
        }}
      >
        <RowControls
          fields={controls}
          only={
            handed
              ? ["kindId", "period", "dueDay"]
              : ["kindId", "source", "blank", ...(isFile ? [] : (["period"] as const))]
          }
          values={null}
          errors={{ ...fields, source: fields.fieldCode }}
        />
        {(!isFile || file) && (
          <Button type="submit" variant="primary" busy={busy}>
            {handed ? "청구 대상 확인" : "옮길 회비 확인"}
          </Button>
        )}
      </form>
      {isFile && (
        <div className="mt-4">
          <SheetDropZone
            hint="‘이름’ 열과 ‘2024’ 같은 연도 열이 있는 명부"
            disabled={busy}
            onFiles={([first]) =>
              void run(async () => {
                setShown([]);
                setFile(null);
                if (!first) return;
                const read = await readFile(first);
                setFile(read);
                await preview(read);
              }, null)
            }
          />
        </div>
      )}
      <ErrorAlert className="mt-4">{fields.file ?? general}</ErrorAlert>
      {isFile && file && file.refused.length > 0 && (
        <LeftOut
          cause="이름이나 기수를 읽지 못한 행"
          count={file.refused.length}
          unit="행"
          names={file.refused.map((row) => `${row}행`)}
        />
      )}
      {shown.map(({ period, plan }) => (
        <div key={period}>
          {shown.length > 1 && (
            <h3 className="mt-6 font-bold">
              {period} <span className="tabular font-normal">{sumOf([plan])}</span>
            </h3>
          )}
          {plan.leftOut.map((each) => (
            <LeftOut key={each.cause} {...each} unit="명" from={handed ? "청구에서 " : ""} />
          ))}
        </div>
      ))}
      {shown.length > 0 && (
        <div className="my-6 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-gray-5 px-4 py-4">
          <p role="status">
            <strong className="tabular">{all}</strong> {shown.length === 1 && shown[0]?.plan.names.join(", ")}
          </p>
          <QuestionButton
            variant="primary"
            disabled={made.length === 0}
            question={{
              label: handed ? "회비 청구" : "회비로 옮기기",
              title: handed ? chargeQuestion(made.map(({ plan }) => plan)) : `${all}, 회비로 옮기시겠습니까?`,
              text: <p>{DUE_LIMITS.undoDays}일 동안 되돌릴 수 있습니다.</p>,
              work: async () => {
                for (const { period, ask, plan } of made) {
                  if (!saved.current.has(period)) await ask(plan.count);
                  saved.current.add(period);
                }
              },
              done: () =>
                `${all}, ${handed ? "청구하였습니다." : "회비로 옮겼습니다."} ${undoUntilText(DUE_LIMITS.undoDays)}`,
              onDone,
            }}
          />
        </div>
      )}
    </ConsoleSection>
  );
}

function chargeQuestion(plans: readonly DuePlan[]): string {
  const add = (key: "count" | "total") => plans.reduce((sum, plan) => sum + plan[key], 0);
  return `${formatCount(add("count"))}명에게 총 ${formatWon(add("total"))}을 청구하시겠습니까?`;
}

function sumOf(plans: readonly DuePlan[]): string {
  const add = (key: "count" | "total" | "paid" | "partial" | "exempt") =>
    plans.reduce((sum, plan) => sum + plan[key], 0);
  const states = [
    `완납 ${formatCount(add("paid"))}`,
    `일부 ${formatCount(add("partial"))}`,
    `면제 ${formatCount(add("exempt"))}`,
  ];
  const isPast = add("paid") + add("partial") + add("exempt") > 0;
  return `${formatCount(add("count"))}${plans.length > 1 ? "건" : "명"} ${formatWon(add("total"))}${isPast ? ` (${states.join(", ")})` : ""}`;
}

interface LeftOutProps {
  cause: string;
  count: number;
  unit: string;
  from?: string;
  names: readonly string[];
}

const NAMED = 5;

function LeftOut({ cause, count, unit, from = "", names }: LeftOutProps) {
  return (
    <Alert tone="warning" className="mt-4" title={leftOutSentence(cause, count, { unit, from })}>
      {count > NAMED ? (
        <details>
          <summary className="min-h-11 cursor-pointer py-2 underline underline-offset-4">
            {names.slice(0, NAMED).join(", ")} 외 {formatCount(count - NAMED)}
            {unit}
          </summary>
          {names.slice(NAMED).join(", ")}
        </details>
      ) : (
        names.join(", ")
      )}
    </Alert>
  );
}
