import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { Field, Input } from "#app/ui/field.tsx";

interface UserNameFieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
  hint?: string;
}

export function UserNameField({ value, onValue, error, hint }: UserNameFieldProps) {
  const texts = useAccountTexts().name;
  return (
    <Field id="userName" label={texts.label} error={error} required hint={hint}>
      <Input name="userName" autoComplete="name" value={value} onChange={(event) => onValue(event.target.value)} />
    </Field>
  );
}
