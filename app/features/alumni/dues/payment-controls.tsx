import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";

interface PaymentControlsProps {
  /** What is owed. */
  open: number | undefined;
  errors: Record<string, string>;
  today: string;
}

/** Amount, day and note of a payment by hand. */
export const PaymentControls = ({ open, errors, today }: PaymentControlsProps) => (
  <>
    <NumberField
      label="금액(원)"
      required
      error={errors.amount}
      name="amount"
      min={1}
      defaultValue={open || undefined}
    />
    <Field label="받은 날" required error={errors.day}>
      <Input name="day" type="date" max={today} defaultValue={today} />
    </Field>
    <Field label="메모" hint="예: 총회에서 현금" error={errors.note}>
      <Input name="note" maxLength={DUE_LIMITS.note} />
    </Field>
  </>
);
