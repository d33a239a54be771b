import type { FormEvent } from "react";
import type { CenterField } from "#app/features/content/edit/center-difference.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import type { CenterValue } from "#worker/contract/content/center-input.ts";
import { CENTER_LIMITS } from "#worker/contract/content/rules.ts";

interface CenterInputsProps {
  fields: readonly CenterField[];
  start: CenterValue;
  errors: Record<string, string>;
  onChange: (part: Partial<CenterValue>) => void;
}

export function CenterInputs({ fields, start, errors, onChange }: CenterInputsProps) {
  return fields.map(({ name, label, kind, hint }) => {
    const shared = {
      maxLength: CENTER_LIMITS[name],
      defaultValue: start[name],
      lang: name.startsWith("english") ? "en" : undefined,
      onInput: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        onChange({ [name]: event.currentTarget.value }),
    };
    const required = name === "regionName" || name === "centerName";
    return (
      <Field key={name} label={label} hint={hint} required={required} error={errors[name]}>
        {kind === "text" ? <Textarea rows={4} {...shared} /> : <Input type={kind} autoComplete="off" {...shared} />}
      </Field>
    );
  });
}
