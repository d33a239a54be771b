import {
  type PrintChoice,
  type PrinterShift,
  readPrinterShift,
  sheetForChoice,
} from "#app/features/alumni/paper/print-choice.ts";
import { keptText } from "#app/lib/kept-text.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { perSheet, SHIFT_MAX } from "#worker/contract/alumni/paper.ts";

const kept = keptText("printerShift");
const store = (shift: PrinterShift) => kept.store(JSON.stringify(shift));

/** The printer offset is measured once per machine and kept by the browser. */
export const usePrinterShift = (): [PrinterShift, (shift: PrinterShift) => void] => [
  readPrinterShift(kept.useText()),
  store,
];

interface SheetFieldsProps {
  choice: PrintChoice;
  onChange: (change: Partial<PrintChoice>) => void;
}

const numberWithin = (text: string, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round((Number(text) || 0) * 10) / 10));

/** Nothing for a kind without label positions. */
export function FirstPlaceField({ choice, onChange }: SheetFieldsProps) {
  const sheet = sheetForChoice(choice);
  if (!sheet) return null;
  const places = perSheet(sheet);
  return (
    <NumberField
      label="첫 장에서 시작할 칸"
      hint={`쓰다 남은 용지면 비어 있는 첫 칸(1~${places})`}
      min={1}
      max={places}
      value={choice.start}
      onChange={(event) => onChange({ start: Math.floor(numberWithin(event.target.value, 1, places)) })}
    />
  );
}

export function ShiftFields({ choice, onChange }: SheetFieldsProps) {
  if (!sheetForChoice(choice)) return null;
  return (
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
  );
}
