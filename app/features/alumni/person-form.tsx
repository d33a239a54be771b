import { useWords } from "#app/lib/page-language.ts";
import { type FormEvent, useState } from "react";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { BookFieldControl, readBookField } from "#app/features/alumni/book-field-control.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { PersonOwnField, readOwnField, UPLOADING } from "#app/features/alumni/own-field-control.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { toast } from "#app/ui/toast.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { type AlumniSettingsView, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { cleanCell } from "#worker/contract/alumni/cell-rules.ts";
import { ALUMNI_COLUMN_LABELS, type AlumniField, cellText, OWN_ENTRY_FIELDS } from "#worker/contract/alumni/columns.ts";
import {
  isOwnFile,
  type OwnField,
  ownFieldPath,
  type OwnValues,
  ownValueText,
  requiredOwnFieldMessage,
} from "#worker/contract/alumni/own-fields.ts";
import { cleanOwnValue } from "#worker/contract/alumni/own-values.ts";
import type { AlumniRow, OpenField } from "#worker/contract/alumni/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";

interface AlumniPersonFormProps {
  /** Null adds a person. */
  person: AlumniRow | null;
  /** False limits the form to the fields that members may correct in their own entry. */
  canWrite: boolean;
  alumniView: AlumniSettingsView;
  onDone: (id: string) => void;
  onCancel: () => void;
}

const NEW_PERSON = { version: 0 } as Partial<AlumniRow> & { version: number };

interface DescribedPerson extends Partial<Record<AlumniField, unknown>> {
  own?: OwnValues;
}

function ownTypedText(field: OwnField, value: OwnValues[OwnField["code"]]): string {
  if (isOwnFile(value)) return value.fileName;
  const typed = Array.isArray(value) ? value.join("\n") : ownValueText(value);
  const cell = cleanOwnValue(field, typed);
  return "error" in cell ? ownValueText(value) : ownValueText(cell.value);
}

const OPEN_LABEL = "다른 회원에게 공개할 항목";

function describePerson(
  values: DescribedPerson,
  openFields: readonly OpenField[],
  { fields, own }: { fields: readonly AlumniField[]; own: readonly OwnField[] },
  labelOf: (field: OpenField) => string,
) {
  const shown = fields.map((field) => {
    const typed = cellText((values[field] ?? "") as string);
    const cell = cleanCell(field, typed);
    return [ALUMNI_COLUMN_LABELS[field], "error" in cell ? typed : cellText(cell.value)];
  });
  const ownShown = own.map((field) => [field.name, ownTypedText(field, values.own?.[field.code])]);
  const open = openFields.map((field) => labelOf(field)).toSorted();
  return { ...Object.fromEntries([...shown, ...ownShown]), [OPEN_LABEL]: open.join(", ") };
}

const pick = <T,>(values: Record<string, T>, isKept: (key: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => isKept(key)));

/** Fields are uncontrolled so that a list reload does not lose typed values. */
export function AlumniPersonForm({ person, canWrite, alumniView, onDone, onCancel }: AlumniPersonFormProps) {
  const say = useWords();
  const labelOf = useColumnLabel();
  const { busy, run, clear, fields: errors, general, isConflict } = useAction();
  const fields = alumniView.fields.filter(
    (field) => canWrite || (OWN_ENTRY_FIELDS as readonly AlumniField[]).includes(field),
  );
  const own = alumniView.own.filter(({ personEdits }) => canWrite || personEdits);
  const { base, conflict, generation, versionToSend, choose, isMine, keep, take } = useConflict({
    latest: person ?? NEW_PERSON,
    describe: (latest) => describePerson(latest, latest.openFields ?? [], { fields, own }, labelOf),
    isConflict,
  });
  const [open, setOpen] = useState<readonly OpenField[]>(base.openFields ?? []);
  const hydrated = useIsHydrated();
  const openable: OpenField[] = [
    ...alumniView.openable,
    ...alumniView.own.filter(({ access }) => access === "openable").map(({ code }) => code),
  ];

  const checkValues = (values: Record<string, string>, ownValues: OwnValues) => {
    const wrong: [field: string, error: string][] = fields.flatMap((field): [string, string][] => {
      if (!(field in values)) return [];
      const cell = cleanCell(field, values[field] ?? "");
      if ("error" in cell) return [[field, cell.error]];
      const isMissing = alumniView.required.includes(field) && cellText(cell.value) === "";
      return isMissing ? [[field, requiredFieldMessage(field)]] : [];
    });
    for (const field of own) {
      if (!(field.code in ownValues)) continue;
      const sent = ownValues[field.code];
      const typed = Array.isArray(sent) ? sent.join("\n") : ownValueText(sent);
      const path = ownFieldPath(field.code);
      if (isOwnFile(sent)) continue;
      if (field.kind === "file" && typed === UPLOADING) {
        wrong.push([path, "파일을 다 올린 뒤에 저장해 주십시오."]);
        continue;
      }
      if (ownValueText(sent) === ownValueText(base.own?.[field.code]) && typed !== "") continue;
      const cell = cleanOwnValue(field, typed);
      if ("error" in cell) wrong.push([path, cell.error]);
      else if (field.required && cell.value === "") wrong.push([path, requiredOwnFieldMessage(field)]);
    }
    if (wrong.length > 0) throw invalidInput(Object.fromEntries(wrong));
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const typedValues = Object.fromEntries(fields.map((field) => [field, readBookField(field, data)]));
    const typedOwn: OwnValues = Object.fromEntries(own.map((field) => [field.code, readOwnField(field, data)]));
    const typed = { ...base, ...typedValues, own: { ...base.own, ...typedOwn } };
    const version = versionToSend(event, describePerson(typed, open, { fields, own }, labelOf));
    // After a conflict, fields left to the other editor are not sent.
    const values = pick(typedValues, (field) => isMine(event, ALUMNI_COLUMN_LABELS[field as AlumniField]));
    const ownValues: OwnValues = pick(typedOwn, (code) => isMine(event, labelOf(code as OpenField)));
    const body = { ...values, own: ownValues, ...(isMine(event, OPEN_LABEL) ? { openFields: [...open] } : {}) };
    let id = person?.id ?? "";
    const work = async () => {
      checkValues(values, ownValues);
      if (person === null) {
        ({ id } = await callApi(api.alumni.$put({ json: { ...body, name: values.name ?? "" }, header: ONCE })));
        return;
      }
      keep((await callApi(api.alumni[":id"].$patch({ param: { id }, json: { ...body, version } }))).version);
    };
    if (!(await run(work, null))) return;
    onDone(id);
    // Is shown last: the user may navigate away after reading it.
    toast(person === null ? say("{동문:을/를} 추가하였습니다.") : "저장하였습니다.", "success");
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
          <BookFieldControl
            key={field}
            field={field}
            value={base[field]}
            error={errors[field]}
            required={alumniView.required.includes(field)}
          />
        ))}
        {own.map((field) => (
          <PersonOwnField
            key={field.code}
            field={field}
            value={base.own?.[field.code]}
            error={errors[ownFieldPath(field.code)]}
          />
        ))}
      </div>
      {openable.length > 0 && (
        <div className="mt-4">
          <CheckboxGroup
            legend={OPEN_LABEL}
            hint="고르지 않은 항목은 다른 회원에게 가려집니다."
            name="openFields"
            options={openable.map((field) => ({ value: field, label: labelOf(field) }))}
            value={open}
            onChange={(value) => setOpen(value as OpenField[])}
          />
        </div>
      )}
      <ConflictAlert conflict={conflict} busy={busy} onTake={takeStored} onChoose={choose} className="mt-4" />
      {general && !conflict && (
        <Alert tone="error" className="mt-4">
          {general}
        </Alert>
      )}
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
