import { type FormEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
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
import {
  type AlumniField,
  cellText,
  cleanCell,
  ALUMNI_COLUMN_LABELS,
  OWN_ENTRY_FIELDS,
  type PrivateField,
} from "#worker/contract/alumni/columns.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";

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

/** Uncontrolled, so that nothing typed is lost when the list is loaded again behind it. */
export function AlumniPersonForm({ person, canWrite, alumniView, onDone, onCancel }: AlumniPersonFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [open, setOpen] = useState<readonly PrivateField[]>(person?.openFields ?? []);
  const { revalidate } = useRevalidator();
  const hydrated = useIsHydrated();
  const fields = alumniView.fields.filter(
    (field) => canWrite || (OWN_ENTRY_FIELDS as readonly AlumniField[]).includes(field),
  );
  const idOf = (field: string) => `alumni-${field}`;

  const show = (found: Partial<Record<string, string>>) => {
    setErrors(found);
    const first = fields.find((field) => found[field]);
    if (first) document.getElementById(idOf(first))?.focus();
  };
  const save = async (values: Record<string, string>) => {
    const body = { ...values, openFields: [...open] };
    if (person === null) return (await callApi(api.alumni.$put({ json: { ...body, name: values.name ?? "" } }))).id;
    await callApi(api.alumni[":id"].$patch({ param: { id: person.id }, json: { ...body, version: person.version } }));
    return person.id;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (form.current === null || sending.current) return;
    const data = new FormData(form.current);
    const values = Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? "")]));
    const wrong = fields.flatMap((field) => {
      const cell = cleanCell(field, values[field] ?? "");
      if ("error" in cell) return [[field, cell.error] as const];
      const isMissing = alumniView.required.includes(field) && cellText(cell.value) === "";
      return isMissing ? [[field, requiredFieldMessage(field)] as const] : [];
    });
    setNotice(null);
    if (wrong.length > 0) return show(Object.fromEntries(wrong));
    sending.current = true;
    setBusy(true);
    show({});
    try {
      const id = await save(values);
      await revalidate();
      onDone(id);
      // Last: who reads it may go elsewhere, and must not be fetched back.
      toast(person === null ? "동문을 추가하였습니다." : "저장하였습니다.", "success");
    } catch (thrown) {
      if (!(thrown instanceof AppError)) return setNotice(ERRORS.INTERNAL_ERROR.message);
      if (thrown.fields) return show(thrown.fields);
      if (thrown.code === "CONFLICT") {
        await revalidate();
        return setNotice(
          "입력하시는 동안 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 두었습니다. 다시 저장하시면 적으신 내용으로 바뀝니다.",
        );
      }
      setNotice(thrown.message);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {notice && (
        <Alert tone="error" className="mb-4">
          {notice}
        </Alert>
      )}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {fields.map((field) => (
          <Field
            key={field}
            id={idOf(field)}
            label={ALUMNI_COLUMN_LABELS[field]}
            hint={HINTS[field]}
            error={errors[field]}
            required={alumniView.required.includes(field)}
            className={WIDE.includes(field) ? "col-span-2" : "col-span-2 sm:col-span-1"}
          >
            {field === "memo" ? (
              <Textarea name={field} rows={3} defaultValue={cellText(person?.[field] ?? "")} />
            ) : (
              <Input
                name={field}
                inputMode={inputMode(field)}
                defaultValue={cellText(person?.[field] ?? "")}
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
      <div className="mt-5 flex justify-end gap-2">
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
