import { UPLOADING, OwnFileControl } from "#app/features/alumni/own-file-control.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import {
  type OwnField,
  ownFieldPath,
  type OwnFile,
  type OwnValue,
  ownValueText,
} from "#worker/contract/alumni/own-fields.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";

interface OwnFieldControlProps {
  field: OwnField;
  value: OwnValue | undefined;
  error: string | undefined;
}

const isWide = ({ kind }: OwnField) => kind === "text" || kind === "choices" || kind === "address" || kind === "email";
/** Keeps a stored value selectable after it was removed from the choices. */
const choicesWith = (choices: readonly string[], stored: string) =>
  stored === "" || choices.includes(stored) ? choices : [...choices, stored];

/** Is uncontrolled, as are the other person fields. */
export function OwnFieldControl({ field, value, error }: OwnFieldControlProps) {
  const { kind, name: label, required, choices } = field;
  const path = ownFieldPath(field.code);
  const text = ownValueText(value);
  const className = isWide(field) ? "col-span-2" : "col-span-2 md:col-span-1";
  if (kind === "file") return <OwnFileControl field={field} value={value} error={error} className="col-span-2" />;
  if (kind === "choices")
    return (
      <div className={className}>
        <CheckboxGroup
          id={`alumni-${field.code}`}
          legend={label}
          name={path}
          required={required}
          error={error}
          options={[...new Set([...choices, ...(Array.isArray(value) ? value : [])])]}
          defaultValue={Array.isArray(value) ? value : []}
        />
      </div>
    );
  return (
    <Field id={`alumni-${field.code}`} label={label} error={error} required={required} className={className}>
      {kind === "choice" || kind === "yesNo" ? (
        <Select
          name={path}
          defaultValue={text}
          placeholder="고르지 않음"
          options={choicesWith(kind === "yesNo" ? [YES, NO] : choices, text)}
        />
      ) : kind === "text" ? (
        <Textarea name={path} rows={2} defaultValue={text} />
      ) : (
        <Input
          name={path}
          type={kind === "date" ? "date" : "text"}
          inputMode={kind === "number" ? "decimal" : kind === "phone" ? "tel" : kind === "email" ? "email" : undefined}
          defaultValue={text}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

export function readOwnField({ code, kind }: OwnField, data: FormData): OwnValue {
  if (kind === "choices") return data.getAll(ownFieldPath(code)).filter((each) => typeof each === "string");
  const text = formText(data, ownFieldPath(code));
  if (kind !== "file" || text === "" || text === UPLOADING) return text;
  return JSON.parse(text) as OwnFile;
}
