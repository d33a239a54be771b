import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";

interface EnglishFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  defaultValue: string;
  maxLength: number;
  error: string | undefined;
}

/** The English name of what is called otherwise in Korean: a line that no browser fills in by itself. */
export function EnglishField({ label, hint, error, ...input }: EnglishFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input {...input} lang="en" autoComplete="off" />
    </Field>
  );
}
