import { formText } from "#app/features/form/action.tsx";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Field, Input, Select, Textarea } from "#app/ui/field.tsx";
import {
  ALUMNI_COLUMN_LABELS,
  type AlumniField,
  cellText,
  EMPTY_ALUMNI_VALUES,
  fieldKind,
} from "#worker/contract/alumni/columns.ts";

const HINTS: Partial<Record<AlumniField, string>> = { mobile: "예: 010-0000-0000" };
const WIDE: readonly AlumniField[] = ["affiliation", "email", "address", "memo", "stateNote", "refuses"];
const inputMode = (field: AlumniField) =>
  field === "mobile" || field === "phone" ? "tel" : field === "email" ? "email" : undefined;

interface BookFieldControlProps {
  field: AlumniField;
  value: string | number | null | undefined;
  error: string | undefined;
  required?: boolean;
  hint?: string | undefined;
}

/** Control of a column of the contract, by its kind. Uncontrolled. */
export function BookFieldControl({
  field,
  value,
  error,
  required = false,
  hint = HINTS[field],
}: BookFieldControlProps) {
  const text = cellText(value ?? EMPTY_ALUMNI_VALUES[field]);
  const { kind, choices } = fieldKind(field) ?? { kind: "text", choices: [] };
  const id = `alumni-${field}`;
  const label = ALUMNI_COLUMN_LABELS[field];
  const className = WIDE.includes(field) ? "col-span-2" : "col-span-2 md:col-span-1";
  if (kind === "many")
    return (
      <CheckboxGroup
        {...{ id, name: field, error, required, className }}
        legend={label}
        options={choices}
        defaultValue={text.split(", ")}
      />
    );
  return (
    <Field {...{ id, label, hint, error, required, className }}>
      {kind === "choice" ? (
        <Select name={field} options={choices} defaultValue={text} />
      ) : field === "memo" ? (
        <Textarea name={field} rows={3} defaultValue={text} />
      ) : (
        <Input
          name={field}
          type={kind === "date" ? "date" : "text"}
          inputMode={inputMode(field)}
          defaultValue={text}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

export const readBookField = (field: AlumniField, data: FormData): string =>
  fieldKind(field)?.kind === "many" ? data.getAll(field).join(", ") : formText(data, field);
