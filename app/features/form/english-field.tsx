import { Field, Input } from "#app/ui/field.tsx";

interface EnglishFieldProps<K extends string> {
  name: K;
  label: string;
  hint?: string | undefined;
  of: Partial<Record<K, string>> | null | undefined;
  maxLength: number;
  errors: Record<string, string | undefined>;
}

export function EnglishField<K extends string>({ name, label, hint, of, maxLength, errors }: EnglishFieldProps<K>) {
  return (
    <Field label={label} hint={hint} error={errors[name]}>
      <Input name={name} defaultValue={of?.[name] ?? ""} maxLength={maxLength} lang="en" autoComplete="off" />
    </Field>
  );
}
