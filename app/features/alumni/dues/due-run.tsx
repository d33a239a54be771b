import { useState } from "react";
import type { HandedSegment } from "#app/features/alumni/segment-state.ts";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { QuestionButton } from "#app/features/form/question.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { DUE_LIMITS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import type { OwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import type { DuePlan } from "#worker/domain/alumni/dues/charge.server.ts";
import type { DuesPage } from "#worker/domain/alumni/dues/due.server.ts";

interface DueRunProps extends Pick<DuesPage, "kinds" | "begins" | "year"> {
  /** Null makes past dues of an own field of the address book. */
  handed: HandedSegment | null;
  onDone: () => void;
}

/** Shows how many dues, how much, and who is left out, before it makes them. */
export function DueRun({ handed, kinds, begins, year, onDone }: DueRunProps) {
  const [shown, setShown] = useState<{ ask: (count?: number) => Promise<DuePlan>; plan: DuePlan } | null>(null);
  const { busy, run, fields, general } = useAction({ reloads: "never" });
  const open = kinds.filter(({ isClosed }) => !isClosed).map(({ id, name }) => ({ value: id, label: name }));
  const preview = async (form: FormData) => {
    const json = {
      kindId: formText(form, "kindId"),
      period: formText(form, "period").trim(),
      dueDay: formText(form, "dueDay"),
      ...(handed ? { segment: handed.segment } : { fieldCode: formText(form, "fieldCode") as OwnFieldCode }),
    };
    const ask = (count?: number) => callApi(api.admin.due.charge.$post({ json: { ...json, count } }));
    setShown({ ask, plan: await ask() });
  };
  if (open.length === 0) return <Alert tone="warning">먼저 ‘회비 종류’에서 청구할 회비를 추가해 주십시오.</Alert>;
  const whom = handed?.count ? `주소록에서 고른 ${formatCount(handed.count)}명에게 청구` : "주소록 전체에 청구";
  return (
    <ConsoleSection title={handed ? whom : "주소록 항목에 적힌 지난 회비 옮기기"}>
      <form
        className="grid items-end gap-4 md:grid-cols-4"
        onChange={() => setShown(null)}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          void run(() => preview(form), null);
        }}
      >
        <Field label="회비 종류">
          <Select name="kindId" options={open} />
        </Field>
        <Field label="연도" error={fields.period}>
          <Input name="period" maxLength={DUE_LIMITS.period} defaultValue={year} />
        </Field>
        <Field label={handed ? "납부 기한" : "납부·미납·면제가 적힌 항목"} error={fields.dueDay ?? fields.fieldCode}>
          {handed ? <Input name="dueDay" type="date" /> : <Select name="fieldCode" options={begins} />}
        </Field>
        <Button type="submit" variant="primary" busy={busy}>
          누구에게 얼마인지 보기
        </Button>
      </form>
      <ErrorAlert className="mt-4">{general}</ErrorAlert>
      {shown?.plan.leftOut.map(({ cause, count, names }) => (
        <Alert key={cause} tone="warning" className="mt-4" title={`${cause}: ${formatCount(count)}명은 빠집니다.`}>
          {names.join(", ")} {count > names.length && `외 ${formatCount(count - names.length)}명`}
        </Alert>
      ))}
      {shown && (
        <div className="my-6 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-gray-5 px-4 py-4">
          <p role="status">
            <strong className="tabular">{sumOf(shown.plan)}</strong> {shown.plan.names.join(", ")}
          </p>
          <QuestionButton
            variant="primary"
            disabled={shown.plan.count === 0}
            question={{
              label: handed ? "회비 청구" : "회비로 옮기기",
              title: `${sumOf(shown.plan)}, ${handed ? "청구하시겠습니까?" : "회비로 옮기시겠습니까?"}`,
              text: <p>30일 동안 되돌릴 수 있습니다.</p>,
              work: () => shown.ask(shown.plan.count),
              done: handed ? "회비를 청구하였습니다." : "회비로 옮겼습니다.",
              onDone,
            }}
          />
        </div>
      )}
    </ConsoleSection>
  );
}

const sumOf = ({ count, total, paid, exempt }: DuePlan) =>
  `${formatCount(count)}명 ${formatWon(total)}${paid + exempt > 0 ? ` (완납 ${formatCount(paid)}, 면제 ${formatCount(exempt)})` : ""}`;
