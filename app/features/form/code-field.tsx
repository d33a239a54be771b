import { Field, Input } from "#app/ui/field.tsx";

interface CodeFieldProps {
  name: string;
  label: string;
  hint: string;
  maxLength: number;
  error: string | null | undefined;
}

export function CodeField({ name, label, hint, maxLength, error }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint} required error={error}>
      <Input name={name} maxLength={maxLength} autoCapitalize="none" />
    </Field>
  );
}
