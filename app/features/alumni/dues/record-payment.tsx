import { useState } from "react";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";
import { PaymentControls } from "./payment-controls.tsx";
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
      <PaymentControls open={person?.open} errors={errors} today={today} />
    </>
  );
}
