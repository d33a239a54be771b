import { type FormEvent, useState } from "react";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { toast } from "#app/ui/toast.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import { type AlumniSettingsView, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { cleanCell } from "#worker/contract/alumni/cell-rules.ts";
import {
  ALUMNI_FIELDS,
  type AlumniField,
  cellText,
  ALUMNI_COLUMN_LABELS,
  OWN_ENTRY_FIELDS,
  type PrivateField,
} from "#worker/contract/alumni/columns.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";

interface AlumniPersonFormProps {
  /** Null adds a person. */
  person: AlumniRow | null;
  /** The office writes every field; a person those of his own entry that are his to correct. */
  canWrite: boolean;
  alumniView: AlumniSettingsView;
  onDone: (id: string) => void;
  onCancel: () => void;
}

const WIDE: readonly AlumniField[] = ["affiliation", "email", "address", "memo"];
const HINTS: Partial<Record<AlumniField, string>> = { mobile: "예: 010-0000-0000" };
const inputMode = (field: AlumniField) =>
  field === "mobile" || field === "phone" ? "tel" : field === "email" ? "email" : undefined;

const NEW_PERSON = { version: 0 } as Partial<AlumniRow> & { version: number };

function describePerson(values: Partial<Record<AlumniField, unknown>>, openFields: readonly PrivateField[]) {
  const shown = ALUMNI_FIELDS.map((field) => {
    const typed = cellText((values[field] ?? "") as string);
    const cell = cleanCell(field, typed);
    return [ALUMNI_COLUMN_LABELS[field], "error" in cell ? typed : cellText(cell.value)];
  });
  const open = openFields.map((field) => ALUMNI_COLUMN_LABELS[field]).toSorted();
  return { ...Object.fromEntries(shown), "다른 회원에게 공개할 항목": open.join(", ") };
}

/** Uncontrolled, so that nothing typed is lost when the list is loaded again behind it. */
export function AlumniPersonForm({ person, canWrite, alumniView, onDone, onCancel }: AlumniPersonFormProps) {
  const { busy, run, clear, fields: errors, general, isConflict } = useAction();
  const { base, conflict, generation, versionToSend, keep, take } = useConflict({
    latest: person ?? NEW_PERSON,
    describe: (latest) => describePerson(latest, latest.openFields ?? []),
    isConflict,
  });
  const [open, setOpen] = useState<readonly PrivateField[]>(base.openFields ?? []);
  const hydrated = useIsHydrated();
  const fields = alumniView.fields.filter(
    (field) => canWrite || (OWN_ENTRY_FIELDS as readonly AlumniField[]).includes(field),
  );

  const checkValues = (values: Record<string, string>) => {
    const wrong = fields.flatMap((field) => {
      const cell = cleanCell(field, values[field] ?? "");
      if ("error" in cell) return [[field, cell.error] as const];
      const isMissing = alumniView.required.includes(field) && cellText(cell.value) === "";
      return isMissing ? [[field, requiredFieldMessage(field)] as const] : [];
    });
    if (wrong.length > 0) throw invalidInput(Object.fromEntries(wrong));
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(fields.map((field) => [field, formText(data, field)]));
    const body = { ...values, openFields: [...open] };
    const version = versionToSend(event, describePerson({ ...base, ...values }, open));
    let id = person?.id ?? "";
    const work = async () => {
      checkValues(values);
      if (person === null) {
        ({ id } = await callApi(api.alumni.$put({ json: { ...body, name: values.name ?? "" } })));
        return;
      }
      keep((await callApi(api.alumni[":id"].$patch({ param: { id }, json: { ...body, version } }))).version);
    };
    if (!(await run(work, null))) return;
    onDone(id);
    // Last: who reads it may go elsewhere, and must not be fetched back.
    toast(person === null ? "동문을 추가하였습니다." : "저장하였습니다.", "success");
  };
  const takeStored = () => {
    take();
    setOpen(person?.openFields ?? []);
    clear();
  };

  return (
    <form key={generation} onSubmit={submit} noValidate>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {fields.map((field) => (
          <Field
            key={field}
            id={`alumni-${field}`}
            label={ALUMNI_COLUMN_LABELS[field]}
            hint={HINTS[field]}
            error={errors[field]}
            required={alumniView.required.includes(field)}
            className={WIDE.includes(field) ? "col-span-2" : "col-span-2 sm:col-span-1"}
          >
            {field === "memo" ? (
              <Textarea name={field} rows={3} defaultValue={cellText(base[field] ?? "")} />
            ) : (
              <Input
                name={field}
                inputMode={inputMode(field)}
                defaultValue={cellText(base[field] ?? "")}
                autoComplete="off"
              />
            )}
          </Field>
        ))}
      </div>
      {alumniView.openable.length > 0 && (
        <div className="mt-4">
          <CheckboxGroup
            legend="다른 회원에게 공개할 항목"
            hint="고르지 않은 항목은 다른 회원에게 가려집니다."
            name="openFields"
            options={alumniView.openable.map((field) => ({ value: field, label: ALUMNI_COLUMN_LABELS[field] }))}
            value={open}
            onChange={(value) => setOpen(value as PrivateField[])}
          />
        </div>
      )}
      <ConflictAlert conflict={conflict} busy={busy} onTake={takeStored} className="mt-4" />
      {general && !conflict && (
        <Alert tone="error" className="mt-4">
          {general}
        </Alert>
      )}
      {/* In sight however long the form is. */}
      <div className="sticky -bottom-5 z-10 -mx-5 mt-5 -mb-5 flex justify-end gap-2 border-t border-gray-20 bg-white px-5 py-3">
        <Button size="sm" onClick={onCancel} disabled={busy}>
          취소
        </Button>
        <Button size="sm" variant="primary" type={hydrated ? "submit" : "button"} busy={busy}>
          저장
        </Button>
      </div>
    </form>
  );
}
