import { type PrintChoice, sheetForChoice, usualColumns } from "#app/features/alumni/paper/print-choice.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import {
  type EnvelopeName,
  ENVELOPES,
  LABEL_SHEET_NAMES,
  needsAddress,
  perSheet,
  PRINT_KIND_LABELS,
  PRINT_KINDS,
  PRINT_ORDER_LABELS,
  PRINT_ORDERS,
  type PrintKind,
  type PrintOrder,
  type SheetName,
  sheetOf,
  SHIFT_MAX,
} from "#worker/contract/alumni/paper.ts";

interface PrintFormProps {
  choice: PrintChoice;
  fields: readonly AlumniFieldCode[];
  /** Changes to paper, columns or order require loading the people again. */
  onChange: (change: Partial<PrintChoice>) => void;
}

const numberWithin = (text: string, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round((Number(text) || 0) * 10) / 10));

export function PrintForm({ choice, fields, onChange }: PrintFormProps) {
  const labelOf = useColumnLabel();
  const sheet = sheetForChoice(choice);
  const places = sheet ? perSheet(sheet) : 1;
  const columns = fields.filter((field) => field !== "name" && field !== "memo" && !isPostal(choice.kind, field));
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
        {sheet && (
          <NumberField
            label="첫 장에서 시작할 칸"
            hint={`쓰다 남은 용지면 비어 있는 첫 칸(1~${places})`}
            min={1}
            max={places}
            value={choice.start}
            onChange={(event) => onChange({ start: Math.floor(numberWithin(event.target.value, 1, places)) })}
          />
        )}
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
      {sheet && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2 font-semibold text-gray-80">
            인쇄가 칸에서 벗어날 때 위치 맞추기
          </summary>
          <div className="mt-2 grid gap-4 md:grid-cols-3">
            {(["shiftX", "shiftY"] as const).map((shift) => (
              <Field key={shift} label={shift === "shiftX" ? "오른쪽으로 (mm)" : "아래로 (mm)"}>
                <Input
                  type="number"
                  min={-SHIFT_MAX}
                  max={SHIFT_MAX}
                  step={0.5}
                  defaultValue={choice[shift]}
                  onChange={(event) => onChange({ [shift]: numberWithin(event.target.value, -SHIFT_MAX, SHIFT_MAX) })}
                />
              </Field>
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

const isPostal = (kind: PrintKind, field: AlumniFieldCode) =>
  needsAddress(kind) && (field === "address" || field === "zipCode");
