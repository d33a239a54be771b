import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import type { CohortPerson, ProposedField } from "#worker/contract/alumni/representative.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

interface CorrectionDialogProps {
  person: Pick<CohortPerson, "id" | "name"> | null;
  fields: readonly ProposedField[];
  onClose: () => void;
}

const typeOf = (field: ProposedField) =>
  field === "mobile" || field === "phone" ? "tel" : field === "email" ? "email" : "text";
const isWide = (field: ProposedField) => field === "address" || field === "email";

/** Fields start empty because the representative may not be allowed to see the stored values. */
export function CorrectionDialog({ person, fields, onClose }: CorrectionDialogProps) {
  const { busy, run, clear, fields: errors, general } = useAction();
  const close = () => {
    clear();
    onClose();
  };
  const submit = async (form: FormData) => {
    if (!person) return;
    const typed = fields
      .map((field) => [field, formText(form, field).trim()] as const)
      .filter(([, text]) => text !== "");
    const json = { ...Object.fromEntries(typed), note: formText(form, "note").trim() };
    const work = () => callApi(api.cohort.person[":id"].correction.$put({ param: { id: person.id }, json }));
    if (await run(work, "사무국에 보냈습니다. 확인한 뒤에 반영합니다.")) close();
  };
  return (
    <FormDialog
      open={person !== null}
      onClose={close}
      title={`${person?.name ?? ""}님의 달라진 내용`}
      submitLabel="보내기"
      size="lg"
      busy={busy}
      error={general}
      onSubmit={(form) => void submit(form)}
    >
      <p className="text-gray-70">아시는 것만 적어 주십시오. 비운 칸은 그대로 둡니다.</p>
      <div className="grid gap-4 md:grid-cols-2">
        {fields.map((field) => (
          <Field
            key={field}
            label={ALUMNI_COLUMN_LABELS[field]}
            error={errors[field]}
            className={isWide(field) ? "md:col-span-2" : undefined}
          >
            <Input
              name={field}
              type={typeOf(field)}
              autoComplete="off"
              maxLength={ALUMNI_MAX_LENGTHS[field]}
              onInput={(event) => {
                if (field === "mobile") event.currentTarget.value = hyphenatePhone(event.currentTarget.value);
              }}
            />
          </Field>
        ))}
      </div>
      <Field label="어떻게 아셨는지" required hint="예: 11월 22일 본인과 통화" error={errors.note}>
        <Textarea name="note" rows={2} maxLength={SIZE_LIMITS.reasonLength} />
      </Field>
    </FormDialog>
  );
}
