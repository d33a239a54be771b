import { useState } from "react";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";
import { PersonSearch } from "./person-search.tsx";

/** Records cash, or money on another account. */
export function RecordPaymentButton({ today }: { today: string }) {
  const record = (form: FormData) => {
    const text = (name: string) => formText(form, name);
    const json = { alumniId: text("alumniId"), amount: Number(text("amount")), day: text("day"), note: text("note") };
    return callApi(api.admin.due.deposit.$put({ json, header: ONCE }));
  };
  return (
    <ActionButton
      label="직접 적기"
      title="받은 회비 적기"
      submitLabel="저장"
      work={record}
      done="받은 회비를 적었습니다."
      errorOf={({ fields, general }) => (fields.alumniId ? "낸 사람을 골라 주십시오." : general)}
    >
      {(errors) => <PaymentFields errors={errors} today={today} />}
    </ActionButton>
  );
}

/** The amount follows the chosen person until it is typed. */
function PaymentFields({ errors, today }: { errors: Record<string, string>; today: string }) {
  const [picked, setPicked] = useState<DepositCandidate[]>([]);
  const person = picked.at(-1);
  return (
    <>
      <PersonSearch picked={person ? [person] : []} onPick={setPicked} />
      <input type="hidden" name="alumniId" value={person?.id ?? ""} />
      <NumberField
        label="금액(원)"
        required
        error={errors.amount}
        name="amount"
        min={1}
        defaultValue={person?.open || undefined}
      />
      <Field label="받은 날" required error={errors.day}>
        <Input name="day" type="date" max={today} defaultValue={today} />
      </Field>
      <Field label="메모" hint="예: 총회에서 현금" error={errors.note}>
        <Input name="note" maxLength={DUE_LIMITS.note} />
      </Field>
    </>
  );
}
